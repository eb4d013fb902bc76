/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.Transaction;
import java.util.concurrent.CompletableFuture;

/**
 * The seat that this process holds, as the code that works on it sees it. Safe for use by several threads; nothing
 * blocks.
 *
 * <p>Rule for writers: call {@link #fence} or {@link #fenceForWork} (or {@link #fenceAsLastRead}) in every transaction
 * that is made in the name of the seat, before it commits. {@link #mayWork()} only avoids useless tries; the fence is
 * what keeps the promise.
 */
public interface Seat {

    /** The name of the seat, {@code <cluster>-<pool>-<n>}. */
    String name();

    /** The incarnation that the store gave to this process; constant for its life. */
    long incarnation();

    /** The state as last recorded, or MUST_DIE from the moment this process knows that it lost the seat. */
    WorkerState state();

    /** True while new work may be taken: HEALTHY, no drain wanted, and the lease not over. */
    boolean mayWork();

    /** The instant, on the environment's monotonic clock, at which this process must have stopped unless it renews. */
    long validUntilNanos();

    /**
     * Makes {@code transaction} fail unless this incarnation holds the seat when it commits: for results, releases and
     * everything else that finishes work. Completes with {@link SeatLostException} where that is known already.
     */
    CompletableFuture<Void> fence(Transaction transaction);

    /**
     * As {@link #fence}, and makes it fail unless the recorded state is HEALTHY: for claims and everything else that
     * takes work. A drain that is recorded meanwhile makes the transaction conflict. Completes with
     * {@link NotWorkingException} in the other states.
     */
    CompletableFuture<Void> fenceForWork(Transaction transaction);

    /**
     * As {@link #fenceForWork} without a read: gives {@code transaction} the version at which this process has last
     * read that it may work, and makes it conflict with every change since. For transactions that read nothing
     * themselves.
     *
     * @return false where no recent enough version is known; the transaction is left as it was then
     */
    default boolean fenceAsLastRead(Transaction transaction) {
        return false;
    }

    /** Asks for a heartbeat now, because what {@link Holdings#now()} says has changed in a way that others wait for. */
    void holdsChanged();

    /**
     * Is told of each state from now on, in order, on the thread that made it; must not block. At most 64 listeners.
     */
    void addListener(Listener listener);

    /** A listener of state changes. */
    @FunctionalInterface
    interface Listener {
        /** The state is now {@code state}; with MUST_DIE {@code reason} says why, for people. */
        void stateChanged(WorkerState state, String reason);
    }
}
