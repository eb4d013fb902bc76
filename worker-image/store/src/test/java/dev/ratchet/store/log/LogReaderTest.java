/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.transaction.Mutation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What a start reads of a log is what the log has, whoever reads it and however far ahead. */
class LogReaderTest {

    private static final int FILES = 6;
    private static final int BATCHES_OF_A_FILE = 120;
    /** Two and a half megabytes in a file, of which one batch is longer than a piece. */
    private static final int SMALL_BYTES = 10_000;

    private static final int LARGE_BYTES = 95_000;
    private static final int LARGE_CHANGES = 14;

    private final CrashingDisk disk = new CrashingDisk(1);
    private final List<String> names = new ArrayList<>();
    private final List<Long> written = new ArrayList<>();

    LogReaderTest() throws IOException {
        long version = 0;
        for (int number = 1; number <= FILES; number++) {
            String name = StoreState.first().logName(number);
            names.add(name);
            try (Disk.File file = disk.create(name)) {
                for (int i = 0; i < BATCHES_OF_A_FILE; i++) {
                    FrameWriter frames = new FrameWriter();
                    LogRecord.write(frames, file.size(), batch(++version, i == BATCHES_OF_A_FILE / 2));
                    written.add(version);
                    file.append(frames.content());
                    file.sync();
                }
            }
        }
    }

    private static CommittedBatch batch(long version, boolean large) {
        List<Mutation> changes = new ArrayList<>();
        for (int i = 0; i < (large ? LARGE_CHANGES : 1); i++) {
            changes.add(new Mutation(
                    Mutation.SET,
                    new byte[] {(byte) (version >>> 8), (byte) version, (byte) i},
                    new byte[large ? LARGE_BYTES : SMALL_BYTES]));
        }
        return new CommittedBatch(version, version, changes, List.of());
    }

    private List<Long> versions(Executor executor) throws IOException {
        List<Long> versions = new ArrayList<>();
        try (LogReader reader = new LogReader(disk, names, executor)) {
            for (List<CommittedBatch> piece = reader.next(); piece != null; piece = reader.next()) {
                piece.forEach(batch -> versions.add(batch.version()));
            }
            assertThat(reader.settleEnd())
                    .isEqualTo(names.stream().mapToLong(disk::length).sum());
        }
        return versions;
    }

    @Test
    void theBatchesAreTheSameHoweverMuchTheExecutorHelps() throws IOException {
        assertThat(versions(task -> {})).as("not at all").isEqualTo(written);
        assertThat(versions(Runnable::run)).as("at once").isEqualTo(written);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            assertThat(versions(threads)).as("beside the one that takes").isEqualTo(written);
        }
    }

    @Test
    void whatIsReadAheadIsBounded() throws IOException {
        try (LogReader reader = new LogReader(disk, names, Runnable::run)) {
            assertThat(reader.next()).isNotEmpty();
            long aheadBytes = 10L << 20;
            assertThat(disk.readBytes()).isLessThan(aheadBytes);
            assertThat(names.stream().mapToLong(disk::length).sum()).isGreaterThan(aheadBytes);
        }
    }

    @Test
    void damageIsToldByWhoeverMeetsIt() throws IOException {
        String second = names.get(1);
        disk.flip(second, disk.length(second) / 3);
        for (Executor executor : List.<Executor>of(task -> {}, Runnable::run)) {
            assertThatThrownBy(() -> versions(executor))
                    .isInstanceOf(StoreDirectoryException.class)
                    .hasMessageContaining(second + " is damaged at byte");
            try (LogReader reader = new LogReader(disk, names, executor)) {
                assertThat(reader.next()).isNotEmpty();
                assertThatThrownBy(reader::checkRest)
                        .isInstanceOf(StoreDirectoryException.class)
                        .hasMessageContaining(second + " is damaged at byte");
            }
        }
    }
}
