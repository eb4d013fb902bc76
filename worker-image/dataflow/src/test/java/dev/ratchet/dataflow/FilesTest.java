/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OnError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v BIGINT NOT NULL, more VARCHAR);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total, COUNT(*) AS n FROM t GROUP BY k;";

    @TempDir
    Path state;

    @TempDir
    Path folder;

    /** By key: the sum and the number of the rows that were written. */
    private final Map<Integer, long[]> written = new TreeMap<>();

    private DataflowSettings settings() {
        return settings("c");
    }

    private DataflowSettings settings(String name) {
        return new DataflowSettings(
                name,
                new ProgramSource.Sql(PROGRAM),
                false,
                1,
                50,
                2,
                OnError.COLLECT,
                Map.of(),
                "",
                List.of(new InputSource.Files("t", folder.toString(), 20)),
                List.of());
    }

    @Test
    void eachFileIsTakenOnceWhoeverIsKilledAndWhereTwoReadAtOnce() throws IOException {
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            Random random = cluster.random();
            cluster.configure(settings());
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s", "errors");
            for (int file = 0; file < 30; file++) {
                write("part-%02d".formatted(file), random);
                if (file % 6 == 5) {
                    cluster.restart(random.nextInt(2));
                    cluster.elect(random.nextInt(2));
                } else if (file % 6 == 2) {
                    // The one before is not told.
                    cluster.elect(random.nextInt(2));
                }
            }
            awaitWritten(cluster);
            assertThat(rows(cluster)).as(cluster.seed()).isEqualTo(expected());
            assertThat(cluster.changes("errors")).isEmpty();
        }
    }

    @Test
    void aLargeFileGoesOnWhereItWasLeftAndItsErrorsNameTheLineOfTheFile() throws IOException {
        StringBuilder text = new StringBuilder("k,v,more\nx,1,\n");
        String more = "m".repeat(70);
        int lines = 150_000;
        for (int line = 3; line < lines; line++) {
            add(line % 10, line);
            text.append(line % 10)
                    .append(',')
                    .append(line)
                    .append(',')
                    .append(more)
                    .append('\n');
        }
        text.append("y,1,\n");
        Files.writeString(folder.resolve("large.csv"), text);
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings());
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s", "errors");
            cluster.await("the first rows", () -> !cluster.changes("s").isEmpty());
            cluster.restart(0);
            cluster.elect(0);
            awaitWritten(cluster);
            assertThat(rows(cluster)).isEqualTo(expected());
            cluster.await("both errors", () -> cluster.changes("errors").size() == 2);
            List<String> errors = cluster.changes("errors").values().stream()
                    .flatMap(List::stream)
                    .toList();
            assertThat(errors.get(0)).contains("input:t/large.csv#", ", line 2 ", "x,1,");
            assertThat(errors.get(1)).contains("input:t/large.csv#", ", line " + lines + " ", "y,1,");
        }
    }

    @Test
    void aLinkThatLeadsOutOfTheFolderIsLeftAndOneInsideIsTaken() throws IOException {
        Files.writeString(state.resolve("key.csv"), "k,v\n1,1\n");
        Files.createSymbolicLink(folder.resolve("a.csv"), state.resolve("key.csv"));
        Path data = Files.createDirectory(folder.resolve("..data"));
        add(2, 7);
        Files.writeString(data.resolve("b.csv"), "k,v\n2,7\n");
        Files.createSymbolicLink(folder.resolve("b.csv"), Path.of("..data", "b.csv"));
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings());
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s", "errors");
            awaitWritten(cluster);
            assertThat(rows(cluster)).isEqualTo(expected());
        }
    }

    @Test
    void whatIsNotWholeYetIsLeftAndWhatIsMissingIsSaid() throws IOException {
        Files.writeString(folder.resolve("a.csv.tmp"), "k,v\n1,1\n");
        Files.writeString(folder.resolve(".b.csv"), "k,v\n1,1\n");
        Files.createDirectory(folder.resolve("c.csv"));
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings());
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            add(2, 5);
            Files.writeString(folder.resolve("d.ndjson"), "{\"k\":2,\"v\":5}");
            awaitWritten(cluster);
            add(1, 1);
            Files.move(folder.resolve("a.csv.tmp"), folder.resolve("a.csv"));
            awaitWritten(cluster);
            Path elsewhere = folder.resolveSibling(folder.getFileName() + "-elsewhere");
            Files.move(folder, elsewhere, StandardCopyOption.ATOMIC_MOVE);
            cluster.await("the trouble", () -> cluster.worker(0)
                    .status()
                    .message()
                    .contains("input t: there is no folder " + folder + " on the worker that reads; mount"));
            Files.move(elsewhere, folder, StandardCopyOption.ATOMIC_MOVE);
            cluster.await(
                    "no trouble", () -> cluster.worker(0).status().message().isEmpty());
            assertThat(rows(cluster)).isEqualTo(expected());
        }
    }

    @Test
    void aCircuitOfAnotherNameTakesTheFilesThatTheOneBeforeHasTaken() throws IOException {
        Files.writeString(folder.resolve("a.csv"), "k,v\n1,1\n");
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings("c"));
            cluster.await("the rows of c", () -> isTaken(cluster));
            cluster.configure(settings("d"));
            cluster.await("d", () -> cluster.circuit().getName().equals("d"));
            cluster.await("the rows of d", () -> isTaken(cluster));
        }
    }

    private static boolean isTaken(DataflowCluster cluster) {
        return cluster.worker(0).status().state() == DataflowState.RUNNING
                && cluster.snapshot(0, "s").equals(List.of("1 1 1 x1"));
    }

    private void write(String name, Random random) throws IOException {
        boolean isCsv = random.nextBoolean();
        StringBuilder text = new StringBuilder(isCsv ? "k,v\n" : "");
        for (int row = random.nextInt(20); row >= 0; row--) {
            int k = random.nextInt(6);
            int v = random.nextInt(100);
            add(k, v);
            text.append((isCsv ? "%d,%d\n" : "{\"k\":%d,\"v\":%d}\n").formatted(k, v));
        }
        Path whole = folder.resolve(name + (isCsv ? ".csv" : ".ndjson"));
        Path part = folder.resolve(name + ".part");
        Files.writeString(part, text);
        Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    }

    private void add(int k, long v) {
        long[] group = written.computeIfAbsent(k, key -> new long[2]);
        group[0] += v;
        group[1]++;
    }

    private Map<String, Long> expected() {
        Map<String, Long> rows = new TreeMap<>();
        written.forEach((k, group) -> rows.put(k + " " + group[0] + " " + group[1], 1L));
        return rows;
    }

    private void awaitWritten(DataflowCluster cluster) {
        Map<String, Long> expected = expected();
        cluster.await("the rows of all files", () -> {
            cluster.retryWhereKillsAreTakenForTheStep();
            return rows(cluster).equals(expected);
        });
    }

    /** The view as the changes of all complete steps make it. */
    private static Map<String, Long> rows(DataflowCluster cluster) {
        long complete = cluster.completeStep("s");
        Map<String, Long> weights = new TreeMap<>();
        cluster.changes("s").forEach((step, rows) -> rows.stream()
                .filter(row -> step <= complete)
                .forEach(row -> {
                    int weight = row.lastIndexOf(" x");
                    weights.merge(row.substring(0, weight), Long.valueOf(row.substring(weight + 2)), Long::sum);
                }));
        weights.values().removeIf(weight -> weight == 0);
        return weights;
    }
}
