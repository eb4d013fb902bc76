/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RequestId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Makes the state of an engine out of the newest snapshot and the log after it. What a crash has torn off the end of
 * the log was acknowledged to nobody and is cut; anything else that is not as it was written is damage, and is told.
 */
final class Recovery {

    private static final Pattern LEFT_OVER = Pattern.compile("[0-9a-f]{6}-[0-9a-f]+\\.(log|snapshot|part)|STATE\\.new");

    private final Disk disk;
    private final StoreState state;
    private TreeEditor<byte[]> data = OrderedTree.empty(StartingPoint::weigh).edit();
    private final Map<RequestId, CommitOutcome> outcomes = new HashMap<>();
    private long version;
    private long reserved;
    private long logBytes;

    /**
     * What was found.
     *
     * @param start to go on from, with a version above all that were handed out
     * @param logs names of the log files that are there
     * @param nextSequence number of the next log file
     * @param logBytes how much of the log is not in the snapshot
     */
    record Found(StartingPoint start, List<String> logs, long nextSequence, long logBytes) {}

    private Recovery(Disk disk, StoreState state) {
        this.disk = disk;
        this.state = state;
        version = state.firstVersion();
        reserved = state.firstVersion();
    }

    /**
     * Reads all that counts.
     *
     * @throws StoreDirectoryException if something is damaged
     */
    static Found recover(Disk disk, StoreState state) throws IOException {
        return new Recovery(disk, state).run();
    }

    private Found run() throws IOException {
        List<String> snapshots = new ArrayList<>();
        List<String> logs = new ArrayList<>();
        List<String> leftOver = new ArrayList<>();
        for (String name : disk.list()) {
            if (state.owns(name) && name.endsWith(".snapshot")) {
                snapshots.add(name);
            } else if (state.owns(name) && name.endsWith(".log")) {
                logs.add(name);
            } else if (LEFT_OVER.matcher(name).matches()) {
                leftOver.add(name);
            }
        }
        if (!snapshots.isEmpty()) {
            readSnapshot(snapshots.getLast());
            leftOver.addAll(snapshots.subList(0, snapshots.size() - 1));
        } else if (state.epoch() > 1 || (!logs.isEmpty() && StoreState.numberOf(logs.getFirst()) != 1)) {
            throw new StoreDirectoryException("The snapshot that the log in " + disk.describe()
                    + " goes on from is missing. Nothing was changed; restore a backup");
        }
        long sequence = 0;
        for (int i = 0; i < logs.size(); i++) {
            long number = StoreState.numberOf(logs.get(i));
            if (i > 0 && number != sequence + 1) {
                throw new StoreDirectoryException("The log in " + disk.describe() + " lacks the file "
                        + state.logName(sequence + 1) + "; restore a backup");
            }
            sequence = number;
            replay(logs.get(i), i == logs.size() - 1);
        }
        for (String name : leftOver) {
            disk.delete(name);
        }
        StartingPoint start = new StartingPoint(Math.max(version, reserved) + 1, data.freeze(), outcomes);
        return new Found(start, logs, sequence + 1, logBytes);
    }

    private void readSnapshot(String name) throws IOException {
        try (Disk.File file = disk.open(name)) {
            SnapshotFile.Content content = SnapshotFile.read(file, disk.describe() + "/" + name);
            data = content.state().data().edit();
            outcomes.putAll(content.state().outcomes());
            version = content.state().version();
            reserved = content.state().reservedVersion();
        }
    }

    private void replay(String name, boolean last) throws IOException {
        try (Disk.File file = disk.open(name)) {
            FrameReader frames = new FrameReader(file);
            long sound = 0;
            for (ByteBuffer payload = frames.next(); payload != null; payload = frames.next()) {
                CommittedBatch batch = LogRecord.read(payload).batch();
                if (batch != null) {
                    reserved = Math.max(reserved, batch.reservedVersion());
                    if (batch.version() > version) {
                        apply(batch);
                    }
                }
                sound = frames.position();
            }
            logBytes += sound;
            if (sound == file.size()) {
                return;
            }
            if (!last || isDamagedAt(file, sound)) {
                throw new StoreDirectoryException("The log file " + disk.describe() + "/" + name
                        + " is damaged at byte " + sound + ". Nothing was changed; restore a backup");
            }
            file.truncate(sound);
            file.sync();
        }
    }

    private void apply(CommittedBatch batch) {
        for (Mutation change : batch.changes()) {
            if (change.type() == Mutation.SET) {
                data.put(change.key(), change.param());
            } else {
                data.removeRange(change.key(), change.param());
            }
        }
        version = batch.version();
        for (CommittedBatch.Named named : batch.requests()) {
            outcomes.put(named.id(), new CommitOutcome(version, named.batchIndex()));
        }
    }

    /** Whether a frame after {@code position} says that what is there was durable once. */
    private static boolean isDamagedAt(Disk.File file, long position) throws IOException {
        ByteBuffer rest = ByteBuffer.allocate(Math.toIntExact(file.size() - position));
        file.read(rest, position);
        rest.flip();
        int end = rest.limit();
        for (int at = 0; at + Frames.HEADER_BYTES + 1 + Long.BYTES <= end; at++) {
            long durableBefore = rest.getLong(at + Frames.HEADER_BYTES + 1);
            if (durableBefore > position && durableBefore <= position + at) {
                ByteBuffer candidate = rest.duplicate().position(at);
                if (Frames.take(candidate) != null) {
                    return true;
                }
            }
        }
        return false;
    }
}
