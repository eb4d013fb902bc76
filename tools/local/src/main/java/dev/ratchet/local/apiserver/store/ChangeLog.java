/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one kind in order, the newest {@code capacity} of them. Readers hold a place in a linked list, so a
 * change costs the same however many read; a reader that falls behind what is kept is told so instead of keeping memory
 * alive.
 */
final class ChangeLog {

    /** A place in the log: after its own change. The first one stands for all that is forgotten. */
    static final class Place {
        final long version;
        final @Nullable StoredChange change;
        volatile @Nullable Place next;

        Place(long version, @Nullable StoredChange change) {
            this.version = version;
            this.change = change;
        }
    }

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition grown = lock.newCondition();
    private volatile Place oldest;
    private Place newest;
    private int size;

    ChangeLog(int capacity, long version) {
        this.capacity = capacity;
        this.oldest = new Place(version, null);
        this.newest = oldest;
    }

    void append(StoredChange change) {
        lock.lock();
        try {
            Place place = new Place(change.version(), change);
            newest.next = place;
            newest = place;
            Place first = oldest.next;
            if (size == capacity && first != null) {
                oldest = first;
            } else {
                size++;
            }
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The last place at or before {@code version}; null when changes after it are already forgotten. */
    @Nullable
    Place after(long version) {
        Place place = oldest;
        if (version < place.version) {
            return null;
        }
        for (Place next = place.next; next != null && next.version <= version; next = place.next) {
            place = next;
        }
        return place;
    }

    boolean isForgotten(Place place) {
        return place.version < oldest.version;
    }

    /** Waits until there is a change after {@code place}, at most so long; false when there is none. */
    boolean await(Place place, long timeoutMillis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            while (place.next == null && nanos > 0) {
                nanos = grown.awaitNanos(nanos);
            }
            return place.next != null;
        } finally {
            lock.unlock();
        }
    }
}
