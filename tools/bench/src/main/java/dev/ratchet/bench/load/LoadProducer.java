/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request after the other, each to any worker and again to another one until it is acknowledged, and some of
 * them again though they were. A thread of its own. Ends when it is told to and its last request is acknowledged.
 */
final class LoadProducer implements Runnable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int PAUSE_MILLIS_MAX = 200;
    private static final int AGAIN_MILLIS = 100;
    private static final int ONE_REPEATED_IN = 5;

    private final Cluster cluster;
    private final HttpClient client;
    private final CircuitRequests input;
    private final PromiseLedger ledger;
    private final int number;
    private final Random random;
    private final AtomicLong repeated;
    private volatile boolean stopped;

    /** @param repeated counts what it sends again */
    LoadProducer(
            Cluster cluster,
            HttpClient client,
            CircuitRequests input,
            PromiseLedger ledger,
            int number,
            long seed,
            AtomicLong repeated) {
        this.cluster = cluster;
        this.client = client;
        this.input = input;
        this.ledger = ledger;
        this.number = number;
        this.random = new Random(seed);
        this.repeated = repeated;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            for (long sequence = 0; !stopped; sequence++) {
                send(new CircuitRequests.Request(number, sequence));
                Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            ledger.complain("producer " + number + " can not go on: " + e);
        }
    }

    private void send(CircuitRequests.Request request) throws IOException, InterruptedException {
        String rows = input.events(request).map(LoadProducer::line).collect(Collectors.joining());
        JsonNode answer = null;
        for (int attempt = 0; answer == null; attempt++) {
            if (attempt > 0) {
                repeated.incrementAndGet();
                Thread.sleep(AGAIN_MILLIS);
                answer = random.nextBoolean() ? received(request) : null;
            }
            answer = answer == null ? attempt(request, rows) : answer;
        }
        note(request, answer);
        if (random.nextInt(ONE_REPEATED_IN) == 0) {
            repeated.incrementAndGet();
            JsonNode again = attempt(request, rows);
            if (again != null) {
                note(request, again);
                if (!again.path("repeated").asBoolean()) {
                    ledger.complain(request + " was acknowledged and, sent again, taken again: " + again);
                }
            }
        }
    }

    private void note(CircuitRequests.Request request, JsonNode answer) {
        if (answer.path("sequence").asLong() != request.sequence()) {
            ledger.complain(request + " was answered with another sequence: " + answer);
        } else if (!input.acknowledged(answer.path("position").asText(), request)) {
            ledger.complain(request + " lies where another one does: " + answer);
        }
    }

    /** Whether the log has it already; null where it has not, or nobody says. */
    private @Nullable JsonNode received(CircuitRequests.Request request) throws IOException, InterruptedException {
        JsonNode last = answer(HttpRequest.newBuilder(cluster.circuit(anyWorker(), "/v1/producers/p" + number)));
        return last != null && last.path("sequence").asLong() >= request.sequence() ? last : null;
    }

    private @Nullable JsonNode attempt(CircuitRequests.Request request, String rows)
            throws IOException, InterruptedException {
        String path = "/v1/tables?producer=p" + number + "&sequence=" + request.sequence();
        return answer(HttpRequest.newBuilder(cluster.circuit(anyWorker(), path))
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(rows)));
    }

    private int anyWorker() {
        return random.nextInt(cluster.size());
    }

    /** Null where the worker does not answer or says to try again. */
    private @Nullable JsonNode answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer;
        try {
            answer = client.send(request.timeout(ANSWER).build(), BodyHandlers.ofString());
        } catch (IOException killed) {
            return null;
        }
        if (answer.statusCode() == 200) {
            return JSON.readTree(answer.body());
        }
        if (answer.statusCode() != 429 && answer.statusCode() != 503) {
            throw new IOException("answered with " + answer.statusCode() + " " + answer.body());
        }
        return null;
    }

    private static String line(NexmarkEvent event) {
        ObjectNode line = JSON.createObjectNode().put("table", event.table().title());
        ObjectNode row = line.putObject("insert");
        List<NexmarkTable.Column> columns = event.table().columns();
        List<Object> values = CircuitRequests.written(event);
        for (int i = 0; i < values.size(); i++) {
            row.putPOJO(columns.get(i).name(), values.get(i));
        }
        return line + "\n";
    }
}
