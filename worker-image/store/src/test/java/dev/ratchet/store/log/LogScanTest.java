/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.transaction.Mutation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of batches are written to a log, each durable before the next. What is damaged is told from what is torn. */
class LogScanTest {

    private static final int GROUPS = 3;
    private static final int BATCHES_OF_A_GROUP = 4;

    private final String name = StoreState.first().logName(1);
    /** Where each batch begins. */
    private final List<Integer> begins = new ArrayList<>();

    private CrashingDisk disk = new CrashingDisk(1);

    @BeforeEach
    void fill() throws IOException {
        disk = new CrashingDisk(1);
        begins.clear();
        long version = 0;
        try (Disk.File file = disk.create(name)) {
            for (int group = 0; group < GROUPS; group++) {
                FrameWriter frames = new FrameWriter();
                long durableBefore = file.size();
                for (int i = 0; i < BATCHES_OF_A_GROUP; i++) {
                    begins.add((int) durableBefore + frames.size());
                    version++;
                    Mutation change = new Mutation(Mutation.SET, new byte[] {(byte) version}, new byte[50]);
                    LogRecord.write(
                            frames, durableBefore, new CommittedBatch(version, version, List.of(change), List.of()));
                }
                file.append(frames.content());
                file.sync();
            }
        }
    }

    private List<Long> versions() throws IOException {
        List<Long> versions = new ArrayList<>();
        try (LogScan scan = new LogScan(disk, List.of(name))) {
            for (ByteBuffer frame = scan.next(); frame != null; frame = scan.next()) {
                CommittedBatch batch = LogRecord.read(frame).batch();
                versions.add(batch == null ? -1 : batch.version());
            }
            scan.settleEnd();
        }
        return versions;
    }

    @Test
    void ofTheLastGroupACrashMayTearAnyBatchAndTheRestOfItIsCut() throws IOException {
        int lastGroup = (GROUPS - 1) * BATCHES_OF_A_GROUP;
        for (int torn = lastGroup; torn < GROUPS * BATCHES_OF_A_GROUP; torn++) {
            fill();
            disk.flip(name, begins.get(torn) + LogFrames.HEADER_BYTES + 20);
            assertThat(versions()).as("batch %d torn", torn).hasSize(torn);
            assertThat(disk.length(name)).isEqualTo(begins.get(torn));
        }
    }

    @Test
    void whatWasDurableBeforeTheLastGroupIsDamagedWhereItIsNotWhole() {
        for (int damaged = 0; damaged < (GROUPS - 1) * BATCHES_OF_A_GROUP; damaged++) {
            int position = begins.get(damaged) + LogFrames.HEADER_BYTES + 20;
            int length = disk.length(name);
            disk.flip(name, position);
            assertThatThrownBy(this::versions)
                    .isInstanceOf(StoreDirectoryException.class)
                    .hasMessageContaining("is damaged at byte " + begins.get(damaged));
            assertThat(disk.length(name)).isEqualTo(length);
            disk.flip(name, position);
        }
    }
}
