/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A circuit stays on its workers and their files while these get a newer release in place, one after the other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReleaseCircuit {

    private static final int WORKERS = 2;
    private static final int ROWS = 50;

    private final TwoReleases releases;
    private final int formatLevel;
    private Cluster cluster;
    private CircuitFeed feed;
    private volatile boolean ending;

    /** @param formatLevel of the newer release */
    ReleaseCircuit(TwoReleases releases, int formatLevel) {
        this.releases = releases;
        this.formatLevel = formatLevel;
    }

    @BeforeAll
    void aCircuitOfTheOlderRelease() {
        String namespace = "circuits-of-" + releases.olderVersion.replace('.', '-');
        cluster = Cluster.in(releases.environment, namespace, "totals");
        releases.environment.kubectl().apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: totals-program, namespace: %s}
                data:
                  program.sql: "CREATE TABLE orders (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL); \
                CREATE VIEW totals AS SELECT COUNT(*) AS orders, SUM(amount) AS total FROM orders;"
                """.formatted(namespace)).succeeded();
        cluster.apply(releases.olderVersion, WORKERS, """
                storage: {size: 1Gi}
              circuit:
                name: totals
                type: SQL
                sql: {configMapKeyRef: {name: totals-program, key: program.sql}}
                checkpoint: {intervalMillis: 500}
              upgrade:
                strategy: InPlace
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """).awaitReady(WORKERS);
        awaitRunning();
        feed = CircuitFeed.of(releases.environment, cluster);
        releases.replaceOperator();
    }

    @AfterAll
    void end() {
        if (feed != null) {
            feed.close();
        }
        cluster.close();
    }

    @Test
    void itGoesOnInTheNewerReleaseAndEachRowCountsOnce()
            throws InterruptedException, ExecutionException, TimeoutException {
        List<String> before = uids();
        CompletableFuture<Long> producer = CompletableFuture.supplyAsync(this::produce);
        releases.toVersion(cluster, releases.newerVersion);
        TwoReleases.awaitVersion(cluster, WORKERS, releases.newerVersion);
        cluster.awaitThat("the formats of the newer release", () -> TwoReleases.formatLevel(cluster) == formatLevel);
        ending = true;
        long rows = producer.get(Cluster.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        awaitRunning();
        String expected = "{\"orders\":" + rows + ",\"total\":" + rows * (rows - 1) / 2 + "}";
        cluster.awaitThat(
                "each row to count once: " + expected,
                () -> feed.get("/v1/views/totals").strip().equals(expected));
        assertThat(uids()).isEqualTo(before);
    }

    /** Pushes rows until the test ends, and at least once after that has begun; returns how many. */
    private long produce() {
        try {
            long request = 0;
            do {
                long first = request * ROWS;
                String rows = LongStream.range(first, first + ROWS)
                        .mapToObj(id -> "{\"table\":\"orders\",\"insert\":{\"id\":" + id + ",\"amount\":" + id + "}}\n")
                        .collect(Collectors.joining());
                feed.push("till", request, rows);
                request++;
            } while (!ending);
            return request * ROWS;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitRunning() {
        cluster.awaitThat("the circuit to run", () -> "True".equals(cluster.condition("CircuitRunning")));
    }

    private List<String> uids() {
        return cluster.workerPods().stream()
                .map(pod -> pod.getMetadata().getUid())
                .toList();
    }
}
