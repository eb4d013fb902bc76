/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.batch.BatchSpill;
import dev.ratchet.circuits.batch.BlockCache;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The batch files of a directory: numbered upwards and never reused, so that a sweep knows what is newer than what it
 * looks at. Traces spill into it, each thread for itself. A file goes when no version refers to it, not before.
 */
final class BatchFiles implements BatchSpill {

    private static final String PREFIX = "batch-";

    private final StateFiles files;
    private final BlockCache cache;
    private final Map<Long, StateFile> known = new HashMap<>();
    private final Set<Long> beingWritten = new HashSet<>();
    private final Set<Long> unsynced = new HashSet<>();
    private long next;
    private long spilledBytes;

    BatchFiles(StateFiles files, BlockCache cache) {
        this.files = files;
        this.cache = cache;
        for (String name : files.list()) {
            if (isOne(name)) {
                next = Math.max(next, numberOf(name) + 1);
            }
        }
    }

    static boolean isOne(String name) {
        return name.matches(PREFIX + "[0-9]{1,18}");
    }

    private static long numberOf(String name) {
        return Long.parseLong(name.substring(PREFIX.length()));
    }

    synchronized StateFile file(long number) {
        return known.computeIfAbsent(number, missing -> new StateFile(files, missing));
    }

    @Override
    public SpillFile create() {
        long number = begin();
        StateFiles.Output out = files.create(Manifest.fileName(number));
        return new SpillFile() {
            private long length;

            @Override
            public void append(byte[] bytes, int offset, int count) {
                out.append(bytes, offset, count);
                length += count;
            }

            @Override
            public BatchFile finish() {
                out.close();
                return end(number, length);
            }

            @Override
            public void abandon() {
                out.close();
                forget(number);
            }
        };
    }

    @Override
    public BlockCache cache() {
        return cache;
    }

    /** A file may be part of a committed version or of another slice: {@link #sweep} knows. */
    @Override
    public void discard(BatchFile file) {}

    synchronized long spilledBytes() {
        return spilledBytes;
    }

    /** A number for a new file, which is not swept while it is being written. */
    synchronized long begin() {
        beingWritten.add(next);
        return next++;
    }

    private synchronized StateFile end(long number, long length) {
        beingWritten.remove(number);
        unsynced.add(number);
        spilledBytes += length;
        return file(number);
    }

    /** Ends a file that its writer has synced. */
    synchronized StateFile endSynced(long number) {
        beingWritten.remove(number);
        return file(number);
    }

    /** Gives up a file. */
    void forget(long number) {
        synchronized (this) {
            beingWritten.remove(number);
            known.remove(number);
        }
        files.delete(Manifest.fileName(number));
    }

    /** Makes a file survive crashes, unless it does already. */
    void sync(long number) {
        boolean due;
        synchronized (this) {
            due = unsynced.contains(number);
        }
        if (due) {
            files.sync(Manifest.fileName(number));
            synchronized (this) {
                unsynced.remove(number);
            }
        }
    }

    /** The files that may be part of what is not prepared yet: those being written, and all that come. */
    synchronized Horizon horizon() {
        return new Horizon(next, Set.copyOf(beingWritten));
    }

    /** What a sweep leaves alone. */
    record Horizon(long next, Set<Long> beingWritten) {
        boolean isBehind(long number) {
            return number < next && !beingWritten.contains(number);
        }
    }

    /** Deletes what is behind the horizon and not in use. */
    void sweep(Horizon horizon, Set<Long> used) {
        for (String name : files.list()) {
            if (isOne(name) && horizon.isBehind(numberOf(name)) && !used.contains(numberOf(name))) {
                forget(numberOf(name));
            }
        }
    }
}
