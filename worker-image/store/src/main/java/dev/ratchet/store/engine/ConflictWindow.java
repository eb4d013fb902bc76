/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What the commits of the last seconds wrote, to tell whether a transaction has read something that changed. Kept as a
 * few generations of {@link IntervalVersions}: forgetting the old is dropping a whole one, and a fresh transaction asks
 * only the newest one or two. For one thread at a time.
 */
final class ConflictWindow {

    private static final int GENERATION_ENTRIES_MAX = 200_000;
    private static final int GENERATIONS = 5;

    private final ArrayDeque<Generation> newestFirst = new ArrayDeque<>();
    private final long generationVersions;
    private final long bytesMax;
    private long oldestVersion = Long.MIN_VALUE;

    private static final class Generation {
        final IntervalVersions writes = new IntervalVersions(Long.MIN_VALUE);
        final long firstVersion;
        long lastVersion;

        Generation(long version) {
            firstVersion = version;
            lastVersion = version;
        }
    }

    /** A window of the given length in versions, within so many bytes: at the bound it is shorter. */
    ConflictWindow(long windowVersions, long bytesMax) {
        generationVersions = Math.max(1, windowVersions / GENERATIONS);
        this.bytesMax = bytesMax;
    }

    /** Records a write at a version not below any before. */
    void write(KeyRange range, long version) {
        Generation newest = newestFirst.peekFirst();
        if (newest == null
                || version - newest.firstVersion >= generationVersions
                || (isFull(newest.writes) && version > newest.lastVersion)) {
            newest = new Generation(version);
            newestFirst.addFirst(newest);
        }
        newest.lastVersion = version;
        newest.writes.write(range.begin(), range.end(), version);
    }

    private boolean isFull(IntervalVersions writes) {
        return writes.entries() >= GENERATION_ENTRIES_MAX || writes.sizeBytes() >= bytesMax / GENERATIONS;
    }

    /** Whether any of the ranges was written after {@code readVersion}. */
    boolean conflicts(List<KeyRange> reads, long readVersion) {
        for (Generation generation : newestFirst) {
            if (generation.lastVersion <= readVersion) {
                return false;
            }
            for (KeyRange read : reads) {
                if (generation.writes.max(read.begin(), read.end()) > readVersion) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Those of the ranges that were written after {@code readVersion}. */
    List<KeyRange> conflicting(List<KeyRange> reads, long readVersion) {
        List<KeyRange> conflicting = new ArrayList<>();
        for (KeyRange read : reads) {
            if (conflicts(List.of(read), readVersion)) {
                conflicting.add(read);
            }
        }
        return conflicting;
    }

    /**
     * Drops what no transaction with a read version of at least {@code oldest} can conflict with, and what is too much.
     */
    void forgetBefore(long oldest) {
        while (!newestFirst.isEmpty() && newestFirst.getLast().lastVersion <= oldest) {
            newestFirst.removeLast();
        }
        while (newestFirst.size() > 1 && sizeBytes() > bytesMax) {
            oldestVersion = newestFirst.removeLast().lastVersion;
        }
    }

    /** Of read versions below this one it is not known any more what they conflict with. */
    long oldestVersion() {
        return oldestVersion;
    }

    /** Rough size in memory. */
    long sizeBytes() {
        long bytes = 0;
        for (Generation generation : newestFirst) {
            bytes += generation.writes.sizeBytes();
        }
        return bytes;
    }
}
