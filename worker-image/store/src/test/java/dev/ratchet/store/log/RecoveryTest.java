/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Keys;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start makes of a log that is long for the memory there is, that lacks something, or that names commits. */
class RecoveryTest {

    /** Three megabytes: several pieces of a log in two files. */
    private static final int COMMITS = 40;

    private static final int VALUE_BYTES = 80_000;
    private static final long MUCH_MEMORY = 64 << 20;
    /** So little that the changes of one piece must be written to pages before the next is replayed. */
    private static final long LITTLE_MEMORY = 20_000;

    private final CrashingDisk disk = new CrashingDisk(1);
    /** Of the process that was started last. */
    private SteppedEnvironment environment = new SteppedEnvironment(1);

    private EmbeddedEngine open(CrashingDisk on, long dataBytesMax) {
        environment = new SteppedEnvironment(1);
        return StoreDirectory.open(
                        on,
                        environment.executor(),
                        environment,
                        new EngineSettings(Limits.WINDOW_VERSIONS, 1 << 20, 1 << 20, dataBytesMax))
                .engine();
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) number};
    }

    private static RequestId id(int number) {
        return new RequestId(7, number);
    }

    private CompletableFuture<CommitOutcome> commit(EmbeddedEngine engine, int number) {
        byte[] value = new byte[VALUE_BYTES];
        value[0] = (byte) number;
        return engine.commit(new CommitRequest(
                CommitRequest.NO_READ_VERSION,
                List.of(),
                List.of(KeyRange.ofKey(key(number))),
                List.of(new Mutation(Mutation.SET, key(number), value)),
                VALUE_BYTES,
                id(number),
                false,
                false,
                true));
    }

    /** Commits one after the other, and leaves what was written to the log alone. */
    private long[] fill() {
        EmbeddedEngine engine = open(disk, MUCH_MEMORY);
        long[] versions = new long[COMMITS];
        for (int i = 0; i < COMMITS; i++) {
            CompletableFuture<CommitOutcome> outcome = commit(engine, i);
            environment.runAll();
            versions[i] = outcome.join().version();
        }
        assertThat(disk.list()).contains("000001-000000000002.log").noneMatch(name -> name.endsWith(".pages"));
        return versions;
    }

    private static void check(EmbeddedEngine engine) {
        for (int i = 0; i < COMMITS; i++) {
            assertThat(engine.newestData().get(key(i)))
                    .as("value %d", i)
                    .hasSize(VALUE_BYTES)
                    .startsWith(i);
        }
    }

    @Test
    void aLogOfMoreThanTheMemoryIsReplayedWithPagesAndACrashAtAnyWriteOfThatLosesNothing() {
        fill();
        CrashingDisk copy = disk.afterCrash();
        check(open(copy, LITTLE_MEMORY));
        assertThat(copy.list()).as("pages before any checkpoint").anyMatch(name -> name.endsWith(".pages"));
        int crashAt = 0;
        boolean failed = true;
        while (failed) {
            CrashingDisk failing = disk.afterCrash();
            failing.failFrom(++crashAt);
            failed = fails(failing);
            check(open(failing.afterCrash(), LITTLE_MEMORY));
        }
        assertThat(crashAt).isGreaterThan(10);
    }

    private boolean fails(CrashingDisk failing) {
        try {
            open(failing, LITTLE_MEMORY);
            return false;
        } catch (StoreDirectoryException full) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {LITTLE_MEMORY, MUCH_MEMORY})
    void damageNearTheEndOfTheLogIsFoundBeforeAnythingIsChanged(long dataBytesMax) {
        fill();
        String last = "000001-000000000002.log";
        disk.flip(last, disk.length(last) - VALUE_BYTES * 3 / 2);
        String before = disk.content();
        assertThatThrownBy(() -> open(disk, dataBytesMax))
                .isInstanceOf(StoreDirectoryException.class)
                .hasMessageContaining(last + " is damaged at byte");
        assertThat(disk.content()).isEqualTo(before);
    }

    @Test
    void aFileThatTheLogLacksIsToldAndNothingIsChanged() throws Exception {
        fill();
        open(disk, MUCH_MEMORY);
        environment.runAll();
        assertThat(disk.list()).contains("000001-000000000003.log");
        disk.delete("000001-000000000002.log");
        String before = disk.content();
        assertThatThrownBy(() -> open(disk, MUCH_MEMORY))
                .isInstanceOf(StoreDirectoryException.class)
                .hasMessageContaining("lacks the file 000001-000000000002.log");
        assertThat(disk.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {LITTLE_MEMORY, MUCH_MEMORY})
    void whoNamedACommitLearnsAfterARestartWhereItIsAndThatItDoesNotHappenTwice(long dataBytesMax) {
        long[] versions = fill();
        for (int restart = 0; restart < 2; restart++) {
            EmbeddedEngine engine = open(disk, dataBytesMax);
            for (int i = 0; i < COMMITS; i++) {
                CompletableFuture<CommitOutcome> again = commit(engine, i);
                CompletableFuture<CommitOutcome> outcome = engine.settle(id(i));
                environment.runAll();
                assertThat(again).isCompletedExceptionally();
                assertThat(outcome.join().version()).isEqualTo(versions[i]);
            }
            CompletableFuture<CommitOutcome> unknown = engine.settle(id(COMMITS + restart));
            environment.runAll();
            assertThat(unknown.join()).isNull();
            CompletableFuture<CommitOutcome> late = commit(engine, COMMITS + restart);
            environment.runAll();
            assertThat(late).as("after it was said not to have happened").isCompletedExceptionally();
            assertThat(engine.newestData().get(key(COMMITS + restart))).isNull();
        }
    }

    @Test
    void aDatabaseThatWasLockedIsLockedAfterARestart() {
        EmbeddedEngine engine = open(disk, MUCH_MEMORY);
        CompletableFuture<CommitOutcome> locked = engine.commit(new CommitRequest(
                CommitRequest.NO_READ_VERSION,
                List.of(),
                List.of(),
                List.of(new Mutation(Mutation.SET, Keys.DATABASE_LOCKED, new byte[16])),
                50,
                null,
                true,
                false,
                false));
        environment.runAll();
        assertThat(locked).isCompleted();
        EmbeddedEngine again = open(disk.afterCrash(), MUCH_MEMORY);
        CompletableFuture<CommitOutcome> refused = commit(again, 1);
        CompletableFuture<Long> unaware = again.readVersion(ReadVersionRequest.DEFAULT);
        CompletableFuture<Long> aware = again.readVersion(new ReadVersionRequest(false, true));
        environment.runAll();
        assertThatThrownBy(refused::join).cause().hasMessageContaining("locked");
        assertThatThrownBy(unaware::join).cause().hasMessageContaining("locked");
        assertThat(aware).isCompleted();
    }
}
