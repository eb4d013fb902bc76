/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.ReadTransaction;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What a kind of work tells membership about itself: what it holds, and how it lets go. No method blocks; every future
 * completes on any thread.
 *
 * <p>The order of a life: {@link #settle} once after the seat was taken, then work while {@link Seat#mayWork()}, then
 * any number of times {@link #drain} or {@link #park} and, if that is called off, {@link #resume}.
 */
public interface Holdings {

    /** What this process holds now, from its memory. Cheap; called at each heartbeat. */
    Inventory now();

    /** Free amount by resource name, for the heartbeat; at most 64 resources. */
    default Map<String, Long> freeResources() {
        return Map.of();
    }

    /**
     * What the store says that the incarnation of {@code seat} holds, read in {@code transaction}. Where this decides
     * that a seat is drained the caller passes the transaction itself and not its snapshot, so that the reads must
     * conflict with every claim in the name of the seat.
     */
    CompletableFuture<Inventory> recorded(ReadTransaction transaction, String seat);

    /**
     * Releases what former incarnations of the seat still hold in the store. The worker stays NEW until this completes;
     * a failure is retried.
     */
    CompletableFuture<Void> settle(Seat seat);

    /**
     * Proves that work can be executed, end to end: the health check. Completes exceptionally if not. It is called
     * again and again while the seat is held. That every slot is busy is no failure as long as they make progress.
     */
    CompletableFuture<Void> canary();

    /**
     * Stops taking work and empties itself: what runs may finish within {@code timeoutMillis} and is given back after
     * it. Completes once {@link #now()} is nothing, or only what nobody takes and nobody could make again; then, as
     * after a failure, it is called again until nothing is left. Called with another timeout while draining, it adjusts
     * the deadline, counted from the first call.
     */
    CompletableFuture<Void> drain(long timeoutMillis);

    /**
     * Stops taking work and leaves the rest to the next process of the seat, which finds the files of this one: what
     * runs is given back as by {@link #drain}, what is in memory goes to files. Where those have no room it is handed
     * over. Completes once the seat has no claims, and this process could end without the loss of anything; after a
     * failure it is called again. Between this and {@link #drain} one can be called after the other.
     */
    CompletableFuture<Void> park(long timeoutMillis);

    /**
     * Ends a drain, or a stay in park, that is no longer wanted: takes work again as soon as {@link Seat#mayWork()}
     * says so.
     */
    void resume();

    /**
     * The incarnation is lost: interrupt whatever runs, write nothing more. Called at most once, on the thread that
     * found out.
     */
    void abandon();
}
