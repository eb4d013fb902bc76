/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OnError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How far the circuit is behind is told, whoever is slow and whoever tells it. */
@Timeout(120)
class LagTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL); CREATE TABLE u (k INT NOT NULL);"
            + " CREATE VIEW s AS SELECT t.k, COUNT(*) AS n FROM t JOIN u ON t.k = u.k GROUP BY t.k;"
            + " CREATE VIEW w AS SELECT k FROM u;";

    @TempDir
    Path state;

    @TempDir
    Path parent;

    private final Map<String, Long> accepted = new TreeMap<>(Map.of("t", 0L, "u", 0L));
    private int coordinator;
    private long sequence;

    private static DataflowSettings settings(FilesSink... outputs) {
        return new DataflowSettings(
                "c",
                new ProgramSource.Sql(PROGRAM),
                false,
                1,
                50,
                2,
                OnError.COLLECT,
                Map.of(),
                "",
                List.of(),
                List.of(outputs));
    }

    private void append(DataflowCluster cluster, Random random) {
        String table = random.nextBoolean() ? "t" : "u";
        int rows = 1 + random.nextInt(5);
        cluster.append(
                random.nextInt(cluster.size()),
                "p",
                sequence++,
                table,
                IntStream.range(0, rows).mapToObj("{\"k\":%d}"::formatted).toArray(String[]::new));
        accepted.merge(table, (long) rows, Long::sum);
    }

    /** Waits until what is told to be taken and what is told to wait add up to what was accepted. */
    private void awaitAllToldOf(DataflowCluster cluster, String when) {
        cluster.await("all rows to be told of " + when + ": " + accepted, () -> {
            DataflowStatus status = cluster.worker(coordinator).status();
            Map<String, Long> told = new TreeMap<>(Map.of("t", 0L, "u", 0L));
            status.receivedRows().forEach((table, rows) -> told.merge(table, rows, Long::sum));
            status.lagRows().forEach((table, rows) -> told.merge(table, rows, Long::sum));
            return told.equals(accepted);
        });
    }

    private void awaitAllTaken(DataflowCluster cluster) {
        cluster.await("all rows to be taken: " + accepted, () -> {
            cluster.retryWhereKillsAreTakenForTheStep();
            DataflowStatus status = cluster.worker(coordinator).status();
            Map<String, Long> taken = new TreeMap<>(Map.of("t", 0L, "u", 0L));
            taken.putAll(status.receivedRows());
            return taken.equals(accepted) && status.lagRows().isEmpty() && status.pendingBytes() == 0;
        });
    }

    @Test
    void everyTableAndViewIsToldOfBeforeAnyRowCame() {
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            cluster.configure(settings());
            cluster.awaitState(0, DataflowState.RUNNING);
            assertToldOfAll(cluster.worker(0).status());
            cluster.elect(1);
            cluster.awaitState(1, DataflowState.RUNNING);
            cluster.await(
                    "the next coordinator to tell of all",
                    () -> !cluster.worker(1).status().receivedRows().isEmpty());
            assertToldOfAll(cluster.worker(1).status());
        }
    }

    private static void assertToldOfAll(DataflowStatus status) {
        assertThat(status.receivedRows()).isEqualTo(Map.of("t", 0L, "u", 0L));
        assertThat(status.viewRows()).isEqualTo(Map.of("s", 0L, "w", 0L));
    }

    @Test
    void theLagOfInputsGrowsWhileAWorkerIsHeldUpAndIsNoneOnceAllIsTaken() {
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            Random random = cluster.random();
            cluster.configure(settings());
            cluster.awaitState(0, DataflowState.RUNNING);
            while (accepted.containsValue(0L)) {
                append(cluster, random);
            }
            awaitAllTaken(cluster);
            Map<String, Long> taken = Map.copyOf(accepted);
            cluster.exchange().hold(true);
            for (int request = 0; request < 40; request++) {
                append(cluster, random);
                if (request % 10 == 9) {
                    awaitAllToldOf(cluster, "at request " + request);
                    assertThat(cluster.worker(coordinator).status().receivedRows())
                            .as(cluster.seed())
                            .isEqualTo(taken);
                }
            }
            coordinator = 1;
            cluster.elect(1);
            awaitAllToldOf(cluster, "by the next coordinator");
            assertThat(cluster.worker(1).status().lagRows()).as(cluster.seed()).hasSize(2);
            cluster.exchange().hold(false);
            awaitAllTaken(cluster);
            for (int request = 0; request < 20; request++) {
                append(cluster, random);
                if (request % 7 == 3) {
                    cluster.restart(0);
                }
            }
            awaitAllTaken(cluster);
        }
    }

    @Test
    void anOutputIsBehindWhileItsFilesCanNotBeWritten() throws IOException {
        Path folder = parent.resolve("out");
        FilesSink sink = new FilesSink("lines", "w", folder.toString(), RowFormat.NDJSON);
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            Random random = cluster.random();
            cluster.configure(settings(sink));
            cluster.awaitState(0, DataflowState.RUNNING);
            for (int request = 0; request < 20; request++) {
                append(cluster, random);
                awaitAllTaken(cluster);
            }
            cluster.await("the output to be behind by all steps", () -> {
                DataflowStatus status = cluster.worker(0).status();
                return status.step() >= 20 && status.lagSteps().equals(Map.of("w", status.step()));
            });
            Files.createDirectory(folder);
            cluster.await(
                    "the output to have all steps",
                    () -> cluster.worker(0).status().lagSteps().equals(Map.of("w", 0L)));
        }
    }
}
