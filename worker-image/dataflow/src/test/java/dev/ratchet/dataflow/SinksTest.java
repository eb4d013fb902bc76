/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SinksTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v BIGINT NOT NULL);"
            + " CREATE VIEW s WITH ('key' = 'k') AS SELECT k, SUM(v) AS total FROM t GROUP BY k;"
            + " CREATE VIEW few AS SELECT k FROM t WHERE v = 0;";
    private static final Pattern NAME =
            Pattern.compile("([a-z]+)-([0-9]{6})-([0-9]{19})-([0-9a-f]{24})\\.(ndjson|csv)");
    private static final Pattern LINE =
            Pattern.compile("\\{\"step\":([0-9]+),\"weight\":(-?[0-9]+),\"row\":\\{\"k\":(.*),\"total\":(.*)}}");

    @TempDir
    Path state;

    @TempDir
    Path parent;

    private Path folder;

    /** What the reader has taken away, by name. */
    private final Map<String, List<String>> taken = new TreeMap<>();

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(parent.resolve("out"));
    }

    private FilesSink lines(String name, String view) {
        return new FilesSink(name, view, folder.toString(), RowFormat.NDJSON);
    }

    private static DataflowSettings settings(String name, FilesSink... outputs) {
        ProgramSource program = new ProgramSource.Sql(PROGRAM);
        return new DataflowSettings(
                name, program, false, 1, 50, 2, OnError.COLLECT, Map.of(), "", List.of(), List.of(outputs));
    }

    @Test
    void eachStepThatChangesAViewIsOneWholeFileWhoeverIsKilledAndThoughFilesAreTakenAway() throws IOException {
        FilesSink csv = new FilesSink("totals", "S", folder.toString(), RowFormat.CSV);
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            Random random = cluster.random();
            cluster.configure(settings("c", lines("lines", "s"), csv));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received last = null;
            for (int request = 0; request < 60; request++) {
                last = append(cluster, request, random);
                take();
                if (request % 9 == 8) {
                    cluster.restart(random.nextInt(2));
                    cluster.elect(random.nextInt(2));
                } else if (request % 9 == 4) {
                    // The one before is not told, and goes on where it is.
                    cluster.elect(random.nextInt(2));
                }
            }
            cluster.awaitOutputOf(last.position(), "s");
            Map<Long, List<String>> expected = cluster.changes("s");
            awaitFiles(cluster, 2 * expected.size());
            assertThat(stepsOf("lines")).as(cluster.seed()).isEqualTo(expected);
            assertThat(stepsOf("totals")).as(cluster.seed()).isEqualTo(expected);
            for (String name : taken.keySet()) {
                Matcher file = matched(NAME, name);
                assertThat(DataflowCluster.get(cluster.worker(0).inputOf(Long.parseLong(file.group(3)))))
                        .as(name)
                        .contains(file.group(4));
            }
            cluster.elect(0);
            cluster.await("no file to be left under a temporary name", () -> names().isEmpty());
        }
    }

    @Test
    void aFileThatWasNotGivenItsNameBeforeACrashIsGivenItAndOlderRestsAreDeleted() throws IOException {
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            cluster.configure(settings("c", lines("lines", "s")));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.append(0, "p", 1, "t", "{\"k\":1,\"v\":1}");
            cluster.await("the file", () -> names().stream().anyMatch(name -> !name.startsWith(".")));
            cluster.await("nothing else", () -> names().size() == 1);
            Path whole = folder.resolve(names().iterator().next());
            DataflowStore store = new DataflowStore(cluster.database(), cluster.keyspace());
            Path temporary = folder.resolve("." + whole.getFileName() + ".1.tmp");
            String other = whole.getFileName().toString().replaceFirst("1-[0-9a-f]{24}", "9-" + "0".repeat(24));
            Files.writeString(folder.resolve("." + other + ".1.tmp"), "cut o");
            Files.writeString(folder.resolve("." + other + ".99.tmp"), "of a later writer");
            // As it is where the writer ends between its commit and the rename: a step of the one before that came
            // later
            // would write its own record over this one.
            cluster.elect(1, () -> cluster.database().run(transaction -> {
                ConsumerRecord record = DataflowStore.read(
                                transaction, store.consumers(), ConsumerRecord.getDefaultInstance(), "output:lines")
                        .join();
                move(whole, temporary);
                DataflowStore.write(
                        transaction,
                        store.consumers(),
                        record.toBuilder().setFile(temporary.toString()).build(),
                        "output:lines");
                return null;
            }));
            cluster.await("the file, and what a later writer has begun", () -> names().equals(
                            Set.of(whole.getFileName().toString(), "." + other + ".99.tmp")));
        }
    }

    @Test
    void aFolderThatIsAwayHoldsTheCircuitAndLosesNothing() throws IOException {
        Path elsewhere = parent.resolve("elsewhere");
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings("c", lines("lines", "s")));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            move(folder, elsewhere);
            int[] requests = {0};
            cluster.await("input to wait", () -> {
                cluster.append(0, "p", requests[0], "t", "{\"k\":%d,\"v\":1}".formatted(requests[0]));
                requests[0]++;
                return cluster.worker(0).status().message().contains("input waits for a feed or an output");
            });
            cluster.await("the trouble", () -> cluster.worker(0)
                    .status()
                    .message()
                    .contains("output lines: there is no folder " + folder + " on the worker that writes; mount"));
            move(elsewhere, folder);
            Received last = cluster.append(0, "p", requests[0], "t", "{\"k\":-1,\"v\":1}");
            cluster.awaitOutputOf(last.position(), "s");
            awaitFiles(cluster, cluster.changes("s").size());
            assertThat(stepsOf("lines")).isEqualTo(cluster.changes("s"));
            cluster.await(
                    "no trouble", () -> cluster.worker(0).status().message().isEmpty());
        }
    }

    @Test
    void whereAFileCanNotBeWrittenThatIsSaidUntilAnotherFolderIsNamed() throws IOException {
        FilesSink refused = new FilesSink("lines", "s", "/sys/kernel", RowFormat.NDJSON);
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings("c", refused, lines("none", "nothing")));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received last = cluster.append(0, "p", 1, "t", "{\"k\":1,\"v\":1}");
            cluster.await("both troubles", () -> {
                String message = cluster.worker(0).status().message();
                return message.contains("output lines: no file can be written to /sys/kernel: ")
                        && message.contains(
                                "output none: the program has no view nothing; the views are [s, few, errors]");
            });
            cluster.configure(settings("c", lines("lines", "s")));
            cluster.awaitOutputOf(last.position(), "s");
            awaitFiles(cluster, 1);
            assertThat(stepsOf("lines")).isEqualTo(cluster.changes("s"));
        }
    }

    @Test
    void stepsThatDoNotChangeTheViewMakeNoFileAndAnOutputThatIsAddedBeginsBehindTheLastStep() throws IOException {
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings("c", lines("few", "few")));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            for (int request = 0; request < 100; request++) {
                cluster.append(0, "p", request, "t", "{\"k\":1,\"v\":1}");
            }
            Received before = cluster.append(0, "p", 100, "t", "{\"k\":2,\"v\":0}");
            awaitFiles(cluster, 1);
            cluster.awaitOutputOf(before.position(), "s");
            long last = new ArrayList<>(cluster.changes("s").keySet()).getLast();
            cluster.configure(settings("c", lines("lines", "s")));
            cluster.await("the output", () -> position(cluster, "lines").getStep() >= last);
            Received behind = cluster.append(0, "p", 101, "t", "{\"k\":3,\"v\":0}");
            cluster.awaitOutputOf(behind.position(), "s");
            awaitFiles(cluster, 2);
            Map<Long, List<String>> expected = new TreeMap<>(cluster.changes("s"));
            expected.keySet().removeIf(step -> step <= last);
            assertThat(stepsOf("lines")).isEqualTo(expected);
            assertThat(position(cluster, "few"))
                    .as("of what was removed")
                    .isEqualTo(ConsumerRecord.getDefaultInstance());
        }
    }

    @Test
    void anotherCircuitBeginsBehindTheFilesOfTheOneBeforeAndFilesOfAStrangerAreNotTouched() throws IOException {
        try (DataflowCluster cluster = new DataflowCluster(state, 1)) {
            cluster.configure(settings("c", lines("lines", "s")));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.append(0, "p", 1, "t", "{\"k\":1,\"v\":1}");
            awaitFiles(cluster, 1);
            long life = position(cluster, "lines").getLife();
            cluster.configure(settings("d", lines("lines", "s")));
            cluster.await("the other one", () -> position(cluster, "lines").getLife() > life);
            cluster.append(0, "p", 1, "t", "{\"k\":2,\"v\":1}");
            awaitFiles(cluster, 2);
            List<Long> lives = taken.keySet().stream()
                    .map(name -> Long.valueOf(matched(NAME, name).group(2)))
                    .toList();
            assertThat(lives).first().isEqualTo(life);
            assertThat(lives).last().isEqualTo(position(cluster, "lines").getLife());
            String stranger = "lines-%06d-%019d-%s.csv".formatted(lives.getLast(), 1_000, "0".repeat(24));
            Files.writeString(folder.resolve(stranger), "k\n");
            cluster.elect(0);
            cluster.await("the trouble", () -> cluster.worker(0)
                    .status()
                    .message()
                    .contains("output lines: the file " + folder.resolve(stranger) + " is of a step that this"));
            assertThat(folder.resolve(stranger)).hasContent("k");
        }
    }

    @Test
    void whereTheCircuitBeginsAnewWithTheInputThatIsStillThereFilesHaveAllThatTheViewHasFromThenOn()
            throws IOException {
        ProgramSource program = new ProgramSource.Sql(PROGRAM);
        List<FilesSink> outputs = List.of(lines("lines", "s"));
        DataflowSettings settings =
                new DataflowSettings("c", program, false, 1, 1, 2, OnError.COLLECT, Map.of(), "", List.of(), outputs);
        try (DataflowCluster cluster = new DataflowCluster(state, 2)) {
            cluster.configure(settings);
            cluster.awaitState(0, DataflowState.RUNNING);
            List<String> sent = new ArrayList<>();
            for (int request = 0; request < 4; request++) {
                String row = "{\"k\":1,\"v\":%d}".formatted(1 << request);
                sent.add(cluster.append(0, "p", request, "t", row).position());
                awaitFiles(cluster, request + 1);
                long version = request + 1L;
                cluster.await(
                        "version " + version, () -> cluster.worker(0).status().version() >= version);
            }
            long life = position(cluster, "lines").getLife();
            taken.clear();
            cluster.restart(1, this::delete);
            cluster.awaitState(0, DataflowState.STATE_LOST);
            cluster.configure(DataflowCluster.withDecision(settings, "restart-1"));
            cluster.awaitState(0, DataflowState.RUNNING);
            List<String> view = Stream.of(0, 1)
                    .flatMap(worker -> cluster.snapshot(worker, "s").stream())
                    .toList();
            String end = DataflowCluster.get(
                            cluster.worker(0).inputOf(cluster.circuit().getFirstStep()))
                    .orElseThrow();
            sent.removeIf(position -> position.compareTo(end) <= 0);
            assertThat(sent).as("whose steps are taken again").isNotEmpty();
            awaitFiles(cluster, sent.size());
            assertThat(taken.keySet())
                    .allMatch(name -> Long.parseLong(matched(NAME, name).group(2)) == life + 1);
            assertThat(sum(stepsOf("lines"))).isEqualTo(view);
        }
    }

    /** The rows that changes make, as a snapshot has them. */
    private static List<String> sum(Map<Long, List<String>> changes) {
        Map<String, Long> weights = new TreeMap<>();
        changes.values()
                .forEach(rows -> rows.forEach(row -> {
                    int weight = row.lastIndexOf(" x");
                    weights.merge(row.substring(0, weight), Long.valueOf(row.substring(weight + 2)), Long::sum);
                }));
        weights.values().removeIf(weight -> weight == 0);
        return weights.entrySet().stream()
                .map(row -> row.getKey() + " x" + row.getValue())
                .toList();
    }

    private void delete(String seat) {
        try (Stream<Path> files = Files.walk(state.resolve(seat))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ConsumerRecord position(DataflowCluster cluster, String name) {
        DataflowStore store = new DataflowStore(cluster.database(), cluster.keyspace());
        return DataflowCluster.get(cluster.database()
                .readAsync(transaction -> DataflowStore.read(
                        transaction, store.consumers(), ConsumerRecord.getDefaultInstance(), "output:" + name)));
    }

    private static Received append(DataflowCluster cluster, int request, Random random) {
        String[] rows = new String[1 + random.nextInt(20)];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = "{\"k\":%d,\"v\":%d}".formatted(random.nextInt(6), random.nextInt(-50, 50));
        }
        return cluster.append(random.nextInt(2), "p", request, "t", rows);
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Set<String> names() {
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> names = new HashSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A reader that takes away what is whole. */
    private void take() throws IOException {
        for (String name : names()) {
            if (!name.startsWith(".")) {
                List<String> lines = Files.readAllLines(folder.resolve(name));
                Files.delete(folder.resolve(name));
                assertThat(taken.put(name, lines)).as(name + " before").isNull();
            }
        }
    }

    private void awaitFiles(DataflowCluster cluster, int count) {
        cluster.await(count + " files", () -> {
            cluster.retryWhereKillsAreTakenForTheStep();
            try {
                take();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return taken.size() >= count;
        });
        assertThat(taken).hasSize(count);
    }

    private static Matcher matched(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.matches()).as(text).isTrue();
        return matcher;
    }

    /** What the files of an output say, by step, as {@link DataflowCluster#changes} has it. */
    private Map<Long, List<String>> stepsOf(String output) {
        Map<Long, List<String>> steps = new TreeMap<>();
        taken.forEach((name, lines) -> {
            Matcher file = matched(NAME, name);
            if (!file.group(1).equals(output)) {
                return;
            }
            long step = Long.parseLong(file.group(3));
            List<String> rows = new ArrayList<>();
            if (file.group(5).equals("csv")) {
                assertThat(lines.getFirst()).isEqualTo("weight,k,total");
                lines.subList(1, lines.size()).forEach(line -> {
                    String[] fields = line.split(",", -1);
                    rows.add(fields[1] + " " + fields[2] + " x" + fields[0]);
                });
            } else {
                assertThat(lines.getLast()).isEqualTo("{\"step\":" + step + ",\"complete\":true}");
                lines.subList(0, lines.size() - 1).forEach(line -> {
                    Matcher row = matched(LINE, line);
                    assertThat(row.group(1)).isEqualTo(Long.toString(step));
                    rows.add(row.group(3) + " " + row.group(4) + " x" + row.group(2));
                });
            }
            // By key, and of one key what leaves before what comes.
            assertThat(rows)
                    .as(name)
                    .isSortedAccordingTo(
                            Comparator.comparing((String row) -> Integer.valueOf(row.substring(0, row.indexOf(' '))))
                                    .thenComparing(row -> !row.contains(" x-")));
            rows.sort(null);
            assertThat(steps.put(step, rows))
                    .as(name + " of a step that is there")
                    .isNull();
        });
        return steps;
    }
}
