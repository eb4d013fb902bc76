/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Follows the view that has a row for each bid, and resumes behind the last whole step that it knows whenever whoever
 * serves it is gone. Keeps the number of rows and a sum over them, which are equal for equal rows. A thread of its own.
 */
final class CircuitFollower implements Runnable {

    /** What rows there are: their number and a sum of their hashes. */
    record Rows(long count, long sum) {
        static final Rows NONE = new Rows(0, 0);

        Rows plus(long weight, String row) {
            long hash = 0;
            for (int i = 0; i < row.length(); i++) {
                hash = (hash ^ row.charAt(i)) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 29;
            }
            return new Rows(count + weight, sum + weight * hash);
        }
    }

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long AGAIN_MILLIS = 100;
    private static final List<String> COLUMNS = List.of("auction", "bidder", "price", "extra");

    private final Cluster cluster;
    private final HttpClient client;
    private final PromiseLedger ledger;
    private final Random random;
    private volatile boolean stopped;
    private volatile Rows whole = Rows.NONE;
    private volatile long step = -1;
    private final AtomicInteger resumed = new AtomicInteger();
    private final AtomicInteger expired = new AtomicInteger();

    CircuitFollower(Cluster cluster, HttpClient client, PromiseLedger ledger, long seed) {
        this.cluster = cluster;
        this.client = client;
        this.ledger = ledger;
        this.random = new Random(seed);
    }

    /** What it has of whole steps. */
    Rows rows() {
        return whole;
    }

    /** The last whole step that it knows; -1 for none. */
    long step() {
        return step;
    }

    /** How often it resumed, and how often it had to begin with a snapshot instead. */
    String interruptions() {
        return String.format(Locale.ROOT, "resumed %d times, %d times with a snapshot", resumed.get(), expired.get());
    }

    void stop() {
        stopped = true;
    }

    /** The rows of these requests. */
    static Rows of(CircuitRequests input, Iterable<CircuitRequests.Request> requests) {
        Rows all = Rows.NONE;
        for (CircuitRequests.Request request : requests) {
            for (var event : input.events(request).toList()) {
                if (event.table() == NexmarkTable.BID) {
                    List<Object> bid = event.values();
                    all = all.plus(1, bid.get(0) + "|" + bid.get(1) + "|" + bid.get(2) + "|" + bid.get(6));
                }
            }
        }
        return all;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                try {
                    follow();
                } catch (IOException | UncheckedIOException gone) {
                    // Resumes with another worker.
                }
                resumed.incrementAndGet();
                Thread.sleep(AGAIN_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            ledger.complain("the follower can not go on: " + e);
        }
    }

    private void follow() throws IOException, InterruptedException {
        String path = "/v1/views/" + LoadViews.BIDS + "?follow=true" + (step < 0 ? "" : "&after=" + step);
        HttpResponse<InputStream> answer = client.send(
                HttpRequest.newBuilder(cluster.circuit(random.nextInt(cluster.size()), path))
                        .timeout(ANSWER)
                        .build(),
                BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            if (answer.statusCode() == 410) {
                beginAgain();
            } else if (answer.statusCode() == 200) {
                read(lines);
            } else if (answer.statusCode() != 503) {
                ledger.complain("the follower was answered with " + answer.statusCode() + " "
                        + lines.lines().collect(Collectors.joining()));
            }
        }
    }

    private void beginAgain() {
        expired.incrementAndGet();
        step = -1;
    }

    private void read(BufferedReader lines) throws IOException {
        Rows rows = whole;
        String line;
        while (!stopped && (line = lines.readLine()) != null) {
            if (line.isEmpty()) {
                continue;
            }
            JsonNode told = JSON.readTree(line);
            if (told.has("row")) {
                rows = rows.plus(told.path("weight").asLong(), text(told.path("row")));
            } else if (told.has("snapshot")) {
                rows = Rows.NONE;
            } else if (told.has("complete")) {
                long complete = told.path("step").asLong();
                if (complete <= step) {
                    ledger.complain("the follower was told step " + complete + " behind step " + step);
                }
                step = complete;
                whole = rows;
            } else if (told.has("error")) {
                if (line.contains("snapshot")) {
                    beginAgain();
                }
                return;
            }
        }
    }

    private static String text(JsonNode row) {
        return COLUMNS.stream().map(column -> row.path(column).asText()).collect(Collectors.joining("|"));
    }
}
