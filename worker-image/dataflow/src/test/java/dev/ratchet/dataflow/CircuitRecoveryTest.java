/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a circuit does when steps are taken again, and when they can not be. */
class CircuitRecoveryTest {

    private static final String PROGRAM = "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";

    /** No version is made by its age. */
    private static final long NEVER = 3_600_000;

    @TempDir
    Path directory;

    private DataflowCluster cluster;
    private DataflowStore store;

    private static DataflowSettings settings(long intervalMillis, String decision) {
        return new DataflowSettings("c", PROGRAM, false, 1, intervalMillis, 2, OnError.COLLECT, Map.of(), decision);
    }

    private void begin(DataflowCluster begun, long intervalMillis) {
        cluster = begun;
        store = new DataflowStore(cluster.database(), cluster.keyspace());
        cluster.configure(settings(intervalMillis, ""));
        cluster.awaitState(0, DataflowState.RUNNING);
        cluster.follow("s");
    }

    /** Appends a row and waits until it is in the view: each is in a step of its own. */
    private String step(long sequence, int k, int v) {
        Received received = append(sequence, k, v);
        cluster.awaitOutputOf(received.position(), "s");
        return received.position();
    }

    private Received append(long sequence, int k, int v) {
        return cluster.append(0, "p", sequence, "t", "{\"k\":%d,\"v\":%d}".formatted(k, v));
    }

    @Test
    void aReplayThatPutsOutSomethingElseStopsTheCircuitAndGoesOnWhenItDoesNotAnyMore() {
        try (DataflowCluster begun = new DataflowCluster(directory, 1)) {
            begin(begun, NEVER);
            takeFourStepsAndChangeTheSecond();
            assertThat(cluster.worker(0).status().message())
                    .startsWith("Step 2 can not be taken: ")
                    .contains("[s]", "now it changes s: +1 {\"k\":1,\"total\":8}", "skip-1", "retry-1");
            replace("\"v\":8", "\"v\":3");
            cluster.configure(settings(NEVER, "retry-1"));
            step(4, 1, 100);
            assertThat(cluster.changes("s")).containsEntry(5L, List.of("1 107 x1", "1 7 x-1"));
        }
    }

    @Test
    void aStepWhoseReplayPutsOutSomethingElseIsLeftOutByDecision() {
        try (DataflowCluster begun = new DataflowCluster(directory, 1)) {
            begin(begun, NEVER);
            takeFourStepsAndChangeTheSecond();
            cluster.configure(settings(NEVER, "skip-1"));
            step(4, 1, 100);
            assertThat(cluster.changes("s")).containsEntry(5L, List.of("1 104 x1", "1 4 x-1"));
        }
    }

    @Test
    void aReplayThatPutsOutWhereNothingWasPutOutStopsTheCircuit() {
        try (DataflowCluster begun = new DataflowCluster(directory, 1)) {
            begin(begun, NEVER);
            takeFourStepsAndChangeTheSecond(2, 0);
            assertThat(cluster.worker(0).status().message())
                    .startsWith("Step 2 can not be taken: ")
                    .contains("[s]", "now it changes s: -1 {\"k\":2,\"total\":1}, +1 {\"k\":2,\"total\":9}");
        }
    }

    @Test
    void aStepThatMakesAnotherVersionThanItIsToMakeStopsTheCircuit() {
        try (DataflowCluster begun = new DataflowCluster(directory, 1)) {
            begin(begun, NEVER);
            step(0, 1, 1);
            step(1, 1, 2);
            cluster.database().run(transaction -> {
                byte[] key = store.divisions().key(2L);
                DivisionRecord division =
                        store.divisions().decode(transaction.get(key).join());
                transaction.set(
                        key,
                        store.divisions()
                                .encode(division.toBuilder().setVersion(7).build()));
                return null;
            });
            cluster.restart(0);
            cluster.elect(0);
            cluster.awaitState(0, DataflowState.STOPPED);
            assertThat(cluster.worker(0).status().message())
                    .startsWith("Step 2 can not be taken: ")
                    .contains("makes version 7 of the state, but process 0 has version 0 before it");
        }
    }

    private void takeFourStepsAndChangeTheSecond() {
        takeFourStepsAndChangeTheSecond(1, 3);
    }

    /** The log has another row in step 2 by the time when it is taken again. */
    private void takeFourStepsAndChangeTheSecond(int k, int v) {
        step(0, 2, 1);
        step(1, k, v);
        step(2, 1, 4);
        step(3, 3, 5);
        cluster.await("the sums of all steps", () -> read("digest", 4) != null);
        replace("\"v\":" + v, "\"v\":8");
        cluster.restart(0);
        cluster.elect(0);
        cluster.awaitState(0, DataflowState.STOPPED);
    }

    private Object read(String what, long step) {
        return cluster.database().read(transaction -> transaction
                .get(
                        what.equals("digest")
                                ? store.digests().key(step, 0)
                                : store.divisions().key(step))
                .join());
    }

    private void replace(String before, String after) {
        cluster.database().run(transaction -> {
            for (KeyValue row :
                    transaction.getRange(store.rows().range()).asList().join()) {
                String text = new String(store.rows().decode(row.getValue()), StandardCharsets.UTF_8);
                transaction.set(
                        row.getKey(),
                        store.rows().encode(text.replace(before, after).getBytes(StandardCharsets.UTF_8)));
            }
            return null;
        });
    }

    @Test
    void aStepThatEndsItsProcessTwiceStopsTheCircuitAndIsNamedWithItsInput() {
        try (DataflowCluster begun = new DataflowCluster(directory, 2)) {
            begin(begun, 1);
            step(0, 1, 1);
            cluster.await("a version", () -> cluster.worker(0).status().version() == 1);
            cluster.configure(settings(NEVER, ""));
            cluster.await("the other interval", () -> circuit().getCheckpointIntervalMillis() == NEVER);
            long last = circuit().getVersionStep();
            cluster.await("the end of the step", () -> progress("w-1").getStep() == last);
            cluster.exchange().hold(true);
            append(1, 1, 2);
            long next = last + 1;
            cluster.await("a step with the row", () -> read("division", next) != null);
            cluster.restart(1);
            cluster.await("the step to be begun again", () -> progress("w-1").getAttemptedStep() == next);
            cluster.restart(1);
            cluster.awaitState(0, DataflowState.STOPPED);
            assertThat(cluster.worker(0).status().message())
                    .startsWith("Step " + next
                            + " can not be taken: the process of w-1 has ended each time it took step " + next)
                    .contains("producer p, sequence 1")
                    .contains("skip-1");
            // Else it takes the step with what was sent before, and there is nothing left to be skipped.
            cluster.await("the process that lives to leave the run", () -> hasLeftTheRun("w-0"));
            cluster.exchange().hold(false);
            cluster.configure(settings(NEVER, "skip-1"));
            // Else it is decided that the step is tried again, as where kills come at random.
            cluster.await("the decision", () -> circuit().getDecision().equals("skip-1"));
            step(2, 1, 5);
            assertThat(cluster.changes("s").values()).containsExactly(List.of("1 1 x1"), List.of("1 1 x-1", "1 6 x1"));
        }
    }

    private CircuitRecord circuit() {
        return cluster.database().read(transaction -> DataflowStore.read(
                        transaction, store.circuit(), CircuitRecord.getDefaultInstance())
                .join());
    }

    private boolean hasLeftTheRun(String seat) {
        return cluster.database().read(transaction -> {
            RunRecord run = DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance())
                    .join();
            ParticipantRecord participant = DataflowStore.read(
                            transaction, store.participants(), ParticipantRecord.getDefaultInstance(), seat)
                    .join();
            return participant.getLeftRun() >= run.getNumber();
        });
    }

    private ProgressRecord progress(String seat) {
        return cluster.database().read(transaction -> DataflowStore.read(
                        transaction, store.progress(), ProgressRecord.getDefaultInstance(), seat)
                .join());
    }

    @Test
    void aStateThatIsLostBeginsAnewWithTheInputThatIsStillThere() {
        try (DataflowCluster begun = new DataflowCluster(directory, 2)) {
            begin(begun, 1);
            Map<String, Integer> sent = new TreeMap<>();
            for (int sequence = 0; sequence < 4; sequence++) {
                sent.put(step(sequence, 1, 1 << sequence), 1 << sequence);
                long version = sequence + 1L;
                cluster.await(
                        "version " + version, () -> cluster.worker(0).status().version() >= version);
            }
            cluster.restart(1, this::delete);
            cluster.awaitState(0, DataflowState.STATE_LOST);
            long trimmed = circuit().getTrimmedStep();
            assertThat(cluster.worker(0).status().message()).contains("behind step " + trimmed + ",", "restart-1");
            String end = DataflowCluster.get(cluster.worker(0).inputOf(trimmed)).orElseThrow();
            int kept = sent.entrySet().stream()
                    .filter(row -> row.getKey().compareTo(end) > 0)
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            assertThat(kept).as("the last row, or more of them").isBetween(8, 14);
            cluster.configure(settings(1, "restart-1"));
            cluster.awaitState(0, DataflowState.RUNNING);
            List<String> rows = Stream.of(0, 1)
                    .flatMap(worker -> cluster.snapshot(worker, "s").stream())
                    .toList();
            assertThat(rows).containsExactly("1 " + kept + " x1");
        }
    }

    /**
     * Where the newest version is damaged on one disk, all go back to an older one that is retained, and nobody sees
     * it.
     */
    @Test
    void asManyVersionsAreKeptAsAreRetainedAndAnOlderOneIsOpenedWhereNewerOnesAreDamaged() {
        try (DataflowCluster begun = new DataflowCluster(directory, 2)) {
            begin(begun, NEVER);
            DataflowSettings retaining =
                    new DataflowSettings("c", PROGRAM, false, 1, 1, 4, OnError.COLLECT, Map.of(), "");
            cluster.configure(retaining);
            long version = 0;
            for (int sequence = 0; sequence < 7; sequence++) {
                step(sequence, sequence, 1);
                long next = ++version;
                cluster.await(
                        "version " + next, () -> cluster.worker(0).status().version() >= next);
            }
            cluster.await("the oldest to be deleted", () -> manifests("w-1").equals(List.of(4L, 5L, 6L, 7L)));
            assertThat(circuit().getTrimmedStep())
                    .isPositive()
                    .isLessThan(circuit().getVersionStep() - 2);
            cluster.restart(1, seat -> manifest(seat, 7).toFile().delete());
            step(7, 1, 10);
            assertThat(cluster.changes("s").values()).last().isEqualTo(List.of("1 1 x-1", "1 11 x1"));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.restart(1, seat -> {
                List<Long> there = manifests(seat);
                assertThat(manifest(seat, there.get(there.size() - 1)).toFile().delete())
                        .isTrue();
                assertThat(manifest(seat, there.get(there.size() - 2)).toFile().delete())
                        .isTrue();
            });
            step(8, 1, 100);
            assertThat(cluster.changes("s").values()).last().isEqualTo(List.of("1 11 x-1", "1 111 x1"));
        }
    }

    private Path manifest(String seat, long version) {
        return manifestFiles(seat).stream()
                .filter(file -> file.getFileName().toString().equals("manifest-" + version))
                .findFirst()
                .orElseThrow();
    }

    private List<Long> manifests(String seat) {
        return manifestFiles(seat).stream()
                .map(file -> Long.valueOf(file.getFileName().toString().substring("manifest-".length())))
                .sorted()
                .toList();
    }

    private List<Path> manifestFiles(String seat) {
        while (true) {
            try (Stream<Path> files = Files.walk(directory.resolve(seat))) {
                return files.filter(file -> file.getFileName().toString().matches("manifest-[0-9]+"))
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (UncheckedIOException e) {
                // The process deletes files of older versions meanwhile.
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    throw e;
                }
            }
        }
    }

    private void delete(String seat) {
        try (Stream<Path> files = Files.walk(directory.resolve(seat))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
