/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.bench.cluster.Cluster;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Configures the circuit and looks whether it has stopped, in place of a person. Kills at random may hit a process in
 * the same step again and again: then it decides to try that step again, and complains of every other stop. A thread of
 * its own.
 */
final class CircuitControl implements Runnable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 500;
    private static final Pattern RETRY = Pattern.compile("has ended each time it took step .*(retry-[0-9]+)");

    private final Cluster cluster;
    private final HttpClient client;
    private final PromiseLedger ledger;
    private final Random random;
    private volatile String decision = "";
    private volatile String complained = "";
    private final AtomicInteger retried = new AtomicInteger();

    CircuitControl(Cluster cluster, HttpClient client, PromiseLedger ledger, long seed) {
        this.cluster = cluster;
        this.client = client;
        this.ledger = ledger;
        this.random = new Random(seed);
    }

    /** Names the circuit in the configuration of the workers. */
    void configure() throws IOException {
        ObjectNode circuit = JSON.createObjectNode();
        circuit.put("name", "nexmark").put("program", LoadViews.program()).put("suspended", false);
        circuit.put("threads", 1).put("checkpointIntervalMillis", 1_000).put("retainedVersions", 2);
        circuit.put("onError", "Collect").put("decision", decision).putObject("retainedSteps");
        cluster.runCircuit(circuit);
    }

    /** How often a step was tried again by decision. */
    int retried() {
        return retried.get();
    }

    @Override
    public void run() {
        try {
            while (true) {
                look(status());
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            ledger.complain("the circuit can not be configured: " + e);
        }
    }

    private void look(JsonNode status) throws IOException {
        String state = status.path("state").asText();
        String message = status.path("message").asText();
        if (!state.equals("STOPPED") && !state.equals("STATE_LOST")) {
            return;
        }
        Matcher retry = RETRY.matcher(message);
        if (state.equals("STOPPED") && retry.find()) {
            if (!retry.group(1).equals(decision)) {
                decision = retry.group(1);
                retried.incrementAndGet();
                configure();
            }
        } else if (!message.equals(complained)) {
            complained = message;
            ledger.complain("the circuit is " + state + ": " + message);
        }
    }

    /** What any worker says of the circuit; nothing where it does not answer. */
    private JsonNode status() throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(cluster.circuit(random.nextInt(cluster.size()), "/v1/status"))
                            .timeout(ANSWER)
                            .build(),
                    BodyHandlers.ofString());
            return answer.statusCode() == 200 ? JSON.readTree(answer.body()) : JSON.createObjectNode();
        } catch (IOException killed) {
            return JSON.createObjectNode();
        }
    }
}
