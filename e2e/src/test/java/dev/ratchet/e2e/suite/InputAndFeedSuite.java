/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.client.FeedOptions;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** A circuit whose clock ticks by itself, and one of whose views feeds a task, while a worker's process is killed. */
@Order(6)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InputAndFeedSuite {

    private static final String CIRCUIT = """
            storage: {size: 1Gi}
          circuit:
            name: invoices
            type: SQL
            sql: {configMapKeyRef: {name: invoices-program, key: program.sql}}
            checkpoint: {intervalMillis: 500}
            inputs:
              - {name: ticks, type: Clock, clock: {intervalMillis: 100}}
        """;
    private static final String PROGRAM = "CREATE TABLE orders (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL);"
            + " CREATE TABLE ticks (ticked_at TIMESTAMP NOT NULL) WITH ('append_only' = 'true');"
            + " CREATE VIEW large_orders AS SELECT id, amount FROM orders WHERE amount > 100;"
            + " CREATE VIEW clock AS SELECT COUNT(*) AS ticks, COUNT(DISTINCT ticked_at) AS times FROM ticks;";

    private static final String FEED = "invoices";
    private static final int REQUESTS = 40;
    private static final int ROWS = 20;

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private CircuitFeed rows;
    private Ratchet ratchet;

    @BeforeAll
    void applyACircuit() {
        cluster = Cluster.in(environment, "invoices", "invoices");
        environment.kubectl().apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: invoices-program, namespace: invoices}
                data: {program.sql: "%s"}
                """.formatted(PROGRAM)).succeeded();
        cluster.apply(2, CIRCUIT).awaitReady(2);
        awaitRunning();
        ratchet = cluster.connect();
        rows = CircuitFeed.of(environment, cluster);
    }

    @AfterAll
    void deleteIt() {
        if (rows != null) {
            rows.close();
        }
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    @Test
    @Order(1)
    void eachLargeOrderIsInvoicedOnceAndEachTickIsThereOnceAlthoughAWorkerIsKilled() throws Exception {
        ratchet.circuit().forEach(FeedOptions.named(FEED), "large_orders", Tasks.invoice());
        cluster.awaitThat("the clock to tick", () -> ticks() > 0);
        for (int request = 0; request < REQUESTS; request++) {
            if (request == REQUESTS / 2) {
                environment.kill(cluster.awaitCoordinator());
            }
            rows.push("till", request, orders(request));
        }
        awaitRunning();
        cluster.awaitThat(
                "an invoice of each large order",
                () -> invoices().size() >= expected().size());
        assertThat(invoices()).isEqualTo(expected());
        long before = ticks();
        cluster.awaitThat("the clock to tick on", () -> ticks() > before);
    }

    @Test
    @Order(2)
    void whatLeavesTheViewIsFedToo() throws Exception {
        rows.push("till", REQUESTS, "{\"table\":\"orders\",\"delete\":{\"id\":150,\"amount\":150}}\n");
        cluster.awaitThat("a credit note", () -> invoices().contains("credit 150"));
        assertThat(invoices()).hasSize(expected().size() + 1);
    }

    /** How many ticks there are, after a look at whether one is there twice. */
    private long ticks() throws IOException, InterruptedException {
        JsonNode clock = new ObjectMapper().readTree(rows.get("/v1/views/clock"));
        assertThat(clock.path("times").asLong())
                .as("times in %s", clock)
                .isEqualTo(clock.path("ticks").asLong());
        return clock.path("ticks").asLong();
    }

    private List<String> invoices() {
        return ratchet.list(FutureQuery.ofJob(FEED).withStates(FutureState.REALIZED))
                .map(made ->
                        ratchet.<String>future(made.id()).toCompletableFuture().join())
                .sorted()
                .toList();
    }

    private static String orders(int request) {
        return ids(request)
                .mapToObj(id -> "{\"table\":\"orders\",\"insert\":{\"id\":" + id + ",\"amount\":" + id + "}}\n")
                .collect(Collectors.joining());
    }

    private static LongStream ids(int request) {
        return LongStream.range((long) request * ROWS, (long) (request + 1) * ROWS);
    }

    private static List<String> expected() {
        return LongStream.range(101, (long) REQUESTS * ROWS)
                .mapToObj(id -> "invoice " + id)
                .sorted()
                .toList();
    }

    private void awaitRunning() {
        cluster.awaitThat("the circuit to run", () -> "True".equals(cluster.condition("CircuitRunning")));
    }
}
