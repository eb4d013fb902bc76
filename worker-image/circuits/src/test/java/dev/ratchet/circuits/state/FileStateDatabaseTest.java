/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.CorruptBatchException;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.trace.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileStateDatabaseTest extends StateConformance {

    private static final long CACHE = 20_000;

    @TempDir
    Path folder;

    @Override
    StateDatabase create(long seed) {
        // Half of the seeds spill nearly everything.
        return on(new CrashingFiles(seed), seed);
    }

    private static FileStateDatabase on(StateFiles files, long seed) {
        return FileStateDatabase.on(files, CACHE, seed % 2 == 0 ? 300 : 1 << 20);
    }

    private static StateRecord step(long step) {
        return new StateRecord(step, "p", new byte[0], Map.of());
    }

    private static Batch numbers(long from, long to) {
        BatchBuilder builder = new BatchBuilder(StateWorkload.NUMBERS);
        for (long number = from; number < to; number++) {
            ModelSet.add(builder, List.of(number, "the value of " + number), 1);
        }
        return builder.build();
    }

    /**
     * Every acknowledged version is there after a crash at any operation, and what is there is exactly that version.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void aCrashAtAnyOperationKeepsTheCommittedVersion(long seed) {
        CrashingFiles files = new CrashingFiles(seed);
        SortedMap<Long, SortedMap<String, ModelSet>> history = new TreeMap<>();
        history.put(0L, new TreeMap<>());
        long acknowledged = 0;
        for (int life = 0; life < 12; life++) {
            files.failAfter(new Samples(seed * 31 + life).random().nextInt(120));
            try (FileStateDatabase database = on(files, seed)) {
                StateVersions versions = database.versions();
                assertThat(versions.contains(acknowledged))
                        .as("seed %d life %d: version %d in %s", seed, life, acknowledged, versions)
                        .isTrue();
                // To open it is to give up the other one, also where that fails half way.
                acknowledged = versions.last();
                OpenState state = database.open(acknowledged);
                assertThat(StateWorkload.content(state))
                        .as("seed %d life %d", seed, life)
                        .isEqualTo(history.get(acknowledged));
                StateWorkload workload = new StateWorkload(seed + life);
                workload.open(state);
                for (int i = 0; i < 6; i++) {
                    workload.step();
                    history.put(state.version(), StateWorkload.content(state));
                    state.commit(workload.record(i));
                    acknowledged = state.version() - 1;
                }
            } catch (UncheckedIOException expected) {
                assertThat(expected).hasMessageContaining("No space left");
            }
            files = files.restart(life % 3 > 0);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void afterAFailedCommitTheNextOneHasItAll(long seed) {
        CrashingFiles files = new CrashingFiles(seed);
        FileStateDatabase database = on(files, seed);
        OpenState state = database.open(0);
        Trace trace = state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
        trace.insert(numbers(0, 10));
        files.failAfter(seed % 7);
        try {
            state.commit(step(1));
        } catch (UncheckedIOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
        files.failAfter(Long.MAX_VALUE);
        trace.insert(numbers(10, 20));
        state.commit(step(2));
        assertThat(database.open(database.versions().last()).statistics().rows())
                .isEqualTo(20);
    }

    @Test
    void damagedFilesAreNamedAndRefused() {
        CrashingFiles whole = new CrashingFiles(3);
        try (FileStateDatabase database = on(whole, 1)) {
            OpenState state = database.open(0);
            state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL).insert(numbers(0, 40));
            state.commit(step(1));
        }
        for (String name : List.of("manifest-1", "batch-0")) {
            int length = (int) whole.length(name);
            for (int at = 0; at < length; at++) {
                CrashingFiles damaged = whole.restart(false);
                damaged.damage(name, at);
                assertRefused(damaged, name);
                damaged.damage(name, at);
            }
            CrashingFiles cut = whole.restart(false);
            cut.cut(name, length - 1);
            assertRefused(cut, name);
        }
    }

    private static void assertRefused(CrashingFiles files, String name) {
        FileStateDatabase database = on(files, 1);
        assertThatThrownBy(() -> BatchFormat.encode(
                        database.open(1).exportShards(HashRange.ALL).get(0).rows()))
                .isInstanceOfAny(CorruptStateException.class, CorruptBatchException.class)
                .hasMessageContaining("memory/" + name);
        assertThat(database.versions().contains(0) || name.startsWith("batch")).isTrue();
    }

    @Test
    void aVersionWithAFileOfAnotherLengthIsNotOpened() {
        CrashingFiles whole = new CrashingFiles(3);
        try (FileStateDatabase database = on(whole, 1)) {
            OpenState state = database.open(0);
            state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL).insert(numbers(0, 40));
            state.commit(step(1));
        }
        int length = (int) whole.length("batch-0");
        for (int other : List.of(0, length - 1, length + 1)) {
            CrashingFiles changed = whole.restart(false);
            changed.cut("batch-0", other);
            FileStateDatabase database = on(changed, 1);
            assertThatThrownBy(() -> database.open(1))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("memory/batch-0 has " + other + " bytes instead of " + length);
        }
    }

    /** Of bytes that no reader has come to yet, either. */
    @Test
    void aFileThatIsNotWhatWasWrittenIsNamedWithBothDigestsAndRefused() {
        CrashingFiles whole = new CrashingFiles(3);
        try (FileStateDatabase database = on(whole, 1)) {
            OpenState state = database.open(0);
            state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL).insert(numbers(0, 40));
            state.commit(step(1));
        }
        CrashingFiles damaged = whole.restart(false);
        damaged.damage("batch-0", (int) damaged.length("batch-0") / 2);
        try (FileStateDatabase database = on(damaged, 1)) {
            OpenState state = database.open(1);
            assertThatThrownBy(() -> state.commit(step(2)))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageMatching(
                            "memory/batch-0 has digest \\p{XDigit}{16} instead of \\p{XDigit}{16}, so its bytes.*");
            assertThatThrownBy(() -> database.verify(1)).hasMessageContaining("memory/batch-0 has digest");
        }
        try (FileStateDatabase database = on(whole.restart(false), 1)) {
            database.open(1).commit(step(2));
            assertThat(database.verify(2).step()).isEqualTo(2);
        }
    }

    /** Whoever goes on from the older version must not find the newer one again, whatever happens to the machine. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aVersionThatIsGivenUpDoesNotComeBack(long seed) {
        CrashingFiles files = new CrashingFiles(seed);
        try (FileStateDatabase database = on(files, seed)) {
            OpenState state = database.open(0);
            state.commit(step(1));
            state.commit(step(2));
            assertThat(database.versions()).isEqualTo(new StateVersions(1, 2));
            database.open(1);
        }
        assertThat(on(files.restart(true), seed).versions()).isEqualTo(new StateVersions(1, 1));
    }

    /** As many are kept as are wanted, each can be opened after a restart, and what none of them has is deleted. */
    @Test
    void asManyVersionsAsAreRetainedCanBeOpened() {
        CrashingFiles files = new CrashingFiles(1);
        try (FileStateDatabase database = on(files, 1)) {
            database.retain(4);
            OpenState state = database.open(0);
            Trace trace = state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
            for (int version = 1; version <= 6; version++) {
                trace.insert(numbers(version * 100L, version * 100L + 50));
                state.commit(step(version));
            }
            assertThat(database.versions()).isEqualTo(new StateVersions(3, 6));
        }
        CrashingFiles restarted = files.restart(false);
        try (FileStateDatabase database = on(restarted, 1)) {
            database.retain(4);
            assertThat(database.versions()).isEqualTo(new StateVersions(3, 6));
            OpenState older = database.open(5);
            assertThat(database.versions()).isEqualTo(new StateVersions(3, 5));
            assertThat(older.record().step()).isEqualTo(5);
            older.commit(step(60));
            assertThat(database.versions()).isEqualTo(new StateVersions(3, 6));
            OpenState oldest = database.open(3);
            assertThat(oldest.statistics().rows()).isEqualTo(150);
            database.retain(1);
            oldest.commit(step(4));
            oldest.commit(step(5));
            assertThat(database.versions()).isEqualTo(new StateVersions(4, 5));
            assertThat(restarted.list())
                    .filteredOn(name -> name.startsWith("manifest-"))
                    .hasSize(2);
        }
    }

    @Test
    void aStateOfAnotherFormatIsRefusedWithBothNumbers() {
        byte[] bytes = ManifestCodec.encode(Manifest.empty(1), 1);
        bytes[7] = 9;
        assertThatThrownBy(() -> ManifestCodec.decode(bytes, "manifest-4"))
                .hasMessageMatching("manifest-4 has format 9 .* this release reads [0-9]+ to [0-9]+ and .*");
    }

    @Test
    void aCommitWritesWhatChangedWhateverWasMerged() {
        CrashingFiles files = new CrashingFiles(4);
        FileStateDatabase database = FileStateDatabase.on(files, 1 << 20, 1 << 20);
        OpenState state = database.open(0);
        Trace trace = state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
        long changed = 0;
        for (int step = 0; step < 200; step++) {
            Batch batch = numbers(step * 300L, step * 300L + 300);
            changed += BatchFormat.encode(batch).length;
            trace.insert(batch);
            state.commit(step(step));
        }
        StateStatistics statistics = state.statistics();
        assertThat(statistics.changedBytes()).isLessThanOrEqualTo((long) (1.1 * changed));
        assertThat(statistics.writeAmplification()).as(statistics.toString()).isLessThan(10);
        assertThat(statistics.rows()).isEqualTo(60_000);
        assertThat(database.open(200).statistics().rows()).isEqualTo(60_000);
    }

    /** So the time to open does not depend on the size of the state. */
    @Test
    void openingReadsTheManifestAlone() {
        CrashingFiles files = new CrashingFiles(4);
        try (FileStateDatabase database = FileStateDatabase.on(files, 1 << 20, 1 << 16)) {
            OpenState state = database.open(0);
            Trace trace = state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
            for (int i = 0; i < 20; i++) {
                trace.insert(numbers(i * 2_000L, i * 2_000L + 2_000));
            }
            state.commit(step(1));
        }
        CrashingFiles again = files.restart(false);
        try (FileStateDatabase database = FileStateDatabase.on(again, 1 << 20, 1 << 16)) {
            Trace trace = database.open(1).trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
            assertThat(trace.statistics().rows()).isEqualTo(40_000);
            assertThat(again.bytesRead).isEqualTo(again.length("manifest-1"));
        }
    }

    @Test
    void filesThatNoVersionNeedsAreDeleted() {
        CrashingFiles files = new CrashingFiles(4);
        FileStateDatabase database = on(files, 0);
        OpenState state = database.open(0);
        Trace trace = state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
        for (int round = 0; round < 50; round++) {
            trace.insert(numbers(0, 50));
            trace.work(10_000);
            trace.insert(BatchTestNegation.negate(numbers(0, 50)));
            trace.work(10_000);
            state.commit(step(round));
        }
        assertThat(files.list()).hasSizeLessThan(60);
        state = database.open(database.versions().last());
        assertThat(StateWorkload.content(state)).isEmpty();
    }

    @Test
    void aDirectoryHasOneUserAtATimeAndHoldsNothingElse() throws IOException {
        Path state = folder.resolve("state");
        try (FileStateDatabase database = FileStateDatabase.in(state)) {
            database.open(0).values("v").put(new byte[] {1}, new byte[] {2});
            assertThatThrownBy(() -> FileStateDatabase.in(state)).hasMessageContaining("in use by another process");
        }
        try (FileStateDatabase database = FileStateDatabase.in(state)) {
            OpenState open = database.open(0);
            open.values("v").put(new byte[] {1}, new byte[] {2});
            open.commit(step(8));
        }
        try (FileStateDatabase database = FileStateDatabase.in(state)) {
            OpenState open = database.open(1);
            assertThat(open.record().step()).isEqualTo(8);
            assertThat(open.values("v").get(new byte[] {1})).hasValue(new byte[] {2});
        }
        Path strange = Files.createDirectories(folder.resolve("home"));
        Files.writeString(strange.resolve("thesis.txt"), "important");
        assertThatThrownBy(() -> FileStateDatabase.in(strange)).hasMessageContaining("thesis.txt");
        assertThatThrownBy(() -> FileStateDatabase.in(strange.resolve("thesis.txt")))
                .hasMessageContaining("is a file; name an empty directory or a new one");
    }
}
