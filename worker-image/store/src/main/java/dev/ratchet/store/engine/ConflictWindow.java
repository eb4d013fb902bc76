/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What the commits of the last seconds wrote, to tell whether a transaction has read something that changed. Kept as a
 * few generations of {@link IntervalVersions}: forgetting the old is dropping a whole one, and a fresh transaction asks
 * only the newest one or two. For one thread at a time.
 */
final class ConflictWindow {

    private static final int GENERATION_ENTRIES_MAX = 200_000;
    private static final int GENERATIONS = 5;
    /** Rough bytes of a boundary: references, two versions, and the key itself. */
    private static final int ENTRY_BYTES = 100;

    private final ArrayDeque<Generation> newestFirst = new ArrayDeque<>();
    private final long generationVersions;

    private static final class Generation {
        final IntervalVersions writes = new IntervalVersions(Long.MIN_VALUE);
        final long firstVersion;
        long lastVersion;

        Generation(long version) {
            firstVersion = version;
            lastVersion = version;
        }
    }

    /** A window of the given length in versions. */
    ConflictWindow(long windowVersions) {
        generationVersions = Math.max(1, windowVersions / GENERATIONS);
    }

    /** Records a write at a version not below any before. */
    void write(KeyRange range, long version) {
        Generation newest = newestFirst.peekFirst();
        if (newest == null
                || version - newest.firstVersion >= generationVersions
                || (newest.writes.entries() >= GENERATION_ENTRIES_MAX && version > newest.lastVersion)) {
            newest = new Generation(version);
            newestFirst.addFirst(newest);
        }
        newest.lastVersion = version;
        newest.writes.write(range.begin(), range.end(), version);
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

    /** Drops what no transaction with a read version of at least {@code oldest} can conflict with. */
    void forgetBefore(long oldest) {
        Iterator<Generation> oldestFirst = newestFirst.descendingIterator();
        while (oldestFirst.hasNext() && oldestFirst.next().lastVersion <= oldest) {
            oldestFirst.remove();
        }
    }

    /** Rough size in memory. */
    long sizeBytes() {
        long entries = 0;
        for (Generation generation : newestFirst) {
            entries += generation.writes.entries();
        }
        return entries * ENTRY_BYTES;
    }
}
