/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.ordered.OrderedTree;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The data at each version of the window. One thread publishes; any may look up, without a lock. The window ends by age
 * (5 s), by what keeping it costs (a limit in bytes), or by {@value #CAPACITY} batches, whichever comes first; whoever
 * reads below it is told so.
 */
final class History {

    private static final int CAPACITY = 1 << 20;
    private static final int FIRST_CAPACITY = 1 << 10;

    /**
     * The data as of a version.
     *
     * @param locked whether the database was locked at it
     * @param costBytes what was superseded in making it, kept only for older readers
     */
    record Published(long version, OrderedTree<byte[]> data, boolean locked, long costBytes) {}

    private final long windowVersions;
    private final long costBytesMax;
    private volatile Ring ring;
    private volatile Published newest;
    private volatile long oldestVersion;
    private long costBytes;
    private long head;
    private long tail;

    /** Slots by sequence number; the last published one is {@code last}. */
    private static final class Ring {
        final AtomicReferenceArray<@Nullable Published> slots;
        final int mask;
        volatile long last;

        Ring(int capacity, long last) {
            slots = new AtomicReferenceArray<>(capacity);
            mask = capacity - 1;
            this.last = last;
        }

        @Nullable
        Published slot(long sequence) {
            return slots.get((int) (sequence & mask));
        }

        boolean above(long sequence, long version) {
            Published slot = slot(sequence);
            return slot != null && slot.version > version;
        }
    }

    History(Published first, long windowVersions, long costBytesMax) {
        this.windowVersions = windowVersions;
        this.costBytesMax = costBytesMax;
        ring = new Ring(FIRST_CAPACITY, 0);
        ring.slots.set(0, first);
        newest = first;
        oldestVersion = first.version;
        tail = 1;
    }

    /** The newest version there is. */
    Published newest() {
        return newest;
    }

    /** Versions below this one can not be read any more, nor committed at. */
    long oldestVersion() {
        return oldestVersion;
    }

    /** What the window costs in bytes of memory, about. */
    long costBytes() {
        return costBytes;
    }

    /** The data at {@code version}, which is not above the newest; null when it has left the window. */
    @Nullable
    OrderedTree<byte[]> at(long version) {
        Published last = newest;
        if (version >= last.version) {
            return last.data;
        }
        // The writer may recycle slots under our feet: an answer counts only when its successor is above the version.
        while (version >= oldestVersion) {
            Published found = search(ring, version);
            if (found != null) {
                return found.data;
            }
        }
        return null;
    }

    private static @Nullable Published search(Ring ring, long version) {
        long high = ring.last + 1;
        long low = high - 1;
        long step = 1;
        while (low >= 0 && ring.above(low, version)) {
            high = low;
            low -= step;
            step <<= 1;
        }
        long from = Math.max(0, low);
        while (from + 1 < high) {
            long middle = (from + high) >>> 1;
            if (ring.above(middle, version)) {
                high = middle;
            } else {
                from = middle;
            }
        }
        Published found = ring.slot(from);
        boolean valid = found != null && found.version <= version && (high > ring.last || ring.above(high, version));
        return valid ? found : null;
    }

    /** Makes the next version readable. */
    void publish(Published next) {
        assert next.version > newest.version : next.version + " is published after " + newest.version;
        Ring current = ring;
        if (tail - head == current.mask + 1) {
            if (current.mask + 1 >= CAPACITY) {
                dropOldest(current);
            } else {
                current = grow(current);
            }
        }
        current.slots.set((int) (tail & current.mask), next);
        current.last = tail;
        tail++;
        costBytes += next.costBytes;
        newest = next;
        trim(current, next.version - windowVersions);
    }

    private void trim(Ring current, long oldest) {
        // The last version at or below the oldest readable one still serves it.
        while (tail - head > 1) {
            Published second = current.slot(head + 1);
            if (second == null || (second.version > oldest && costBytes <= costBytesMax)) {
                break;
            }
            dropOldest(current);
        }
        if (oldest > oldestVersion) {
            oldestVersion = oldest;
        }
    }

    private void dropOldest(Ring current) {
        Published second = current.slot(head + 1);
        if (second == null) {
            throw new IllegalStateException("history has no second version to begin with; this is a bug");
        }
        if (second.version > oldestVersion) {
            oldestVersion = second.version;
        }
        costBytes -= second.costBytes;
        assert costBytes >= 0 : "the window costs " + costBytes + " bytes";
        current.slots.set((int) (head & current.mask), null);
        head++;
    }

    private Ring grow(Ring current) {
        Ring grown = new Ring((current.mask + 1) * 2, current.last);
        for (long i = head; i < tail; i++) {
            grown.slots.set((int) (i & grown.mask), current.slot(i));
        }
        ring = grown;
        return grown;
    }
}
