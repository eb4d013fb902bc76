/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state of an engine out of the newest root or snapshot and the log after it. What a crash has torn off the
 * end of the log was acknowledged to nobody and is cut; anything else that is not as it was written is damage, and is
 * told. The log is looked through for that before anything is changed.
 */
final class Recovery {

    private static final Pattern LEFT_OVER =
            Pattern.compile("[0-9a-f]{6}-[0-9a-f]+\\.(log|snapshot|root|pages|part)|STATE\\.new");

    private final Disk disk;
    private final StoreState state;
    private final @Nullable Pages pages;
    private final Executor executor;
    private @Nullable RootFile root;
    private long logBytes;

    /**
     * What was found.
     *
     * @param start to go on from, with a version above all that were handed out
     * @param logs names of the log files that are there
     * @param nextSequence number of the next log file
     * @param logBytes how much of the log is not in the snapshot
     * @param root on which the data rest; null when they do not
     */
    record Found(
            StartingPoint start,
            List<String> logs,
            long nextSequence,
            long logBytes,
            @Nullable RootFile root) {}

    private Recovery(Disk disk, StoreState state, @Nullable Pages pages, Executor executor) {
        this.disk = disk;
        this.state = state;
        this.pages = pages;
        this.executor = executor;
    }

    /**
     * Reads all that counts.
     *
     * @param pages where the data rest; null when they do not
     * @param executor may help to read; nobody waits for it
     * @throws StoreDirectoryException if something is damaged
     */
    static Found recover(Disk disk, StoreState state, @Nullable Pages pages, Executor executor) throws IOException {
        return new Recovery(disk, state, pages, executor).run();
    }

    private Found run() throws IOException {
        List<String> bases = new ArrayList<>();
        List<String> logs = new ArrayList<>();
        List<String> leftOver = new ArrayList<>();
        for (String name : disk.list()) {
            if (state.owns(name) && name.endsWith(pages == null ? ".snapshot" : ".root")) {
                bases.add(name);
            } else if (state.owns(name) && name.endsWith(".log")) {
                logs.add(name);
            } else if (LEFT_OVER.matcher(name).matches()) {
                leftOver.add(name);
            }
        }
        if (bases.isEmpty() && (state.epoch() > 1 || (!logs.isEmpty() && StoreState.numberOf(logs.getFirst()) != 1))) {
            throw new StoreDirectoryException("What the log in " + disk.describe()
                    + " goes on from is missing. Nothing was changed; restore a backup");
        }
        List<Long> soundBytes = check(logs);
        Replay.Base base = new Replay.Base(
                OrderedTree.empty(StartingPoint::weigh), state.firstVersion(), state.firstVersion(), Map.of());
        if (!bases.isEmpty()) {
            base = readBase(bases.getLast(), leftOver);
            leftOver.addAll(bases.subList(0, bases.size() - 1));
        } else if (pages != null) {
            // Pages that no root has come to count on: the log has all.
            deleteAll(leftOver);
            leftOver.clear();
        }
        Replay replay = new Replay(base, pages, executor);
        for (int i = 0; i < logs.size(); i++) {
            read(logs.get(i), soundBytes.get(i), replay);
        }
        StartingPoint start = replay.end();
        deleteAll(leftOver);
        long next = logs.isEmpty() ? 1 : StoreState.numberOf(logs.getLast()) + 1;
        return new Found(start, logs, next, logBytes, root);
    }

    /** How many bytes of each file of the log count, which is all but what a crash has torn off the last one. */
    private List<Long> check(List<String> logs) throws IOException {
        List<Long> soundBytes = new ArrayList<>();
        for (int i = 0; i < logs.size(); i++) {
            if (i > 0) {
                String expected = state.logName(StoreState.numberOf(logs.get(i - 1)) + 1);
                if (!logs.get(i).equals(expected)) {
                    throw new StoreDirectoryException("The log in " + disk.describe() + " lacks the file " + expected
                            + ". Nothing was changed; restore a backup");
                }
            }
            soundBytes.add(check(logs.get(i), i == logs.size() - 1));
        }
        return soundBytes;
    }

    private long check(String name, boolean last) throws IOException {
        try (Disk.File file = disk.open(name)) {
            FrameReader frames = new FrameReader(file);
            long sound = 0;
            while (frames.next() != null) {
                sound = frames.position();
            }
            if (sound != file.size() && (!last || isDamagedAt(file, sound))) {
                throw new StoreDirectoryException("The log file " + disk.describe() + "/" + name
                        + " is damaged at byte " + sound + ". Nothing was changed; restore a backup");
            }
            return sound;
        }
    }

    private void deleteAll(List<String> names) throws IOException {
        for (String name : names) {
            disk.delete(name);
        }
    }

    private Replay.Base readBase(String name, List<String> leftOver) throws IOException {
        return pages == null ? readSnapshot(name) : readRoot(name, pages, leftOver);
    }

    private Replay.Base readSnapshot(String name) throws IOException {
        TreeBuilder<byte[]> builder = new TreeBuilder<>(StartingPoint::weigh);
        try (Disk.File file = disk.open(name)) {
            SnapshotFile.Header header = SnapshotFile.read(file, disk.describe() + "/" + name, builder::add);
            return new Replay.Base(builder.build(), header.version(), header.reservedVersion(), header.outcomes());
        }
    }

    private Replay.Base readRoot(String name, Pages resting, List<String> leftOver) throws IOException {
        RootFile found = RootFile.read(disk, name);
        for (long number = found.firstFile(); number <= found.lastFile(); number++) {
            boolean last = number == found.lastFile();
            resting.files().open(number, last ? found.lastFileBytes() : 0);
            leftOver.remove(state.pagesName(number));
        }
        OrderedTree<byte[]> data = resting.trees().open(found.root());
        resting.files().cutLast(found.lastFileBytes());
        // What a checkpoint that did not end has left is in the way of the pages that the replay may write.
        List<String> unfinished =
                leftOver.stream().filter(file -> file.endsWith(".pages")).toList();
        leftOver.removeAll(unfinished);
        deleteAll(unfinished);
        root = found;
        return new Replay.Base(data, found.version(), found.reservedVersion(), found.outcomes());
    }

    private void read(String name, long soundBytes, Replay replay) throws IOException {
        try (Disk.File file = disk.open(name)) {
            FrameReader frames = new FrameReader(file);
            for (ByteBuffer payload = frames.next(); payload != null; payload = frames.next()) {
                CommittedBatch batch = LogRecord.read(payload).batch();
                if (batch != null) {
                    replay.add(batch);
                }
            }
            logBytes += soundBytes;
            if (soundBytes < file.size()) {
                file.truncate(soundBytes);
                file.sync();
            }
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
