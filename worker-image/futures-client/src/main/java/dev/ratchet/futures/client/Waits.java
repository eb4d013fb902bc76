/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.environment.Environment;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for several futures: their outcomes arrive in one queue in the order in which they become known, so that each
 * costs the same however many are awaited. Used by one thread.
 */
final class Waits<T> {

    /** A time without end that can be added to a clock. */
    static final long NANOS_MAX = Long.MAX_VALUE / 4;

    private final LinkedBlockingQueue<DurableFuture<T>> arrived = new LinkedBlockingQueue<>();
    private final Caller caller;
    private final Environment environment;
    private final int all;
    private int taken;

    Waits(Collection<? extends DurableFuture<T>> futures, Caller caller, Environment environment) {
        this.caller = caller;
        this.environment = environment;
        this.all = futures.size();
        for (DurableFuture<T> future : futures) {
            if (future instanceof RemoteFuture<T> remote) {
                remote.onDone(() -> arrived.add(future));
            } else if (future.isDone()) {
                arrived.add(future);
            } else {
                throw new InvalidInputException(
                        "The future " + future.id() + " was not made by this connection. Ask for it by its id.");
            }
        }
    }

    /** A time limit in nanoseconds that can be added to a clock. */
    static long nanos(Duration timeout) {
        return timeout.compareTo(Duration.ofNanos(NANOS_MAX)) >= 0 ? NANOS_MAX : Math.max(0, timeout.toNanos());
    }

    boolean hasNext() {
        return taken < all;
    }

    /** The next one that is done; null at the deadline. */
    @Nullable
    DurableFuture<T> next(long deadlineNanos) throws InterruptedException {
        DurableFuture<T> next = arrived.poll();
        if (next == null && hasNext()) {
            try (Caller.Pause paused = caller.pause()) {
                next = arrived.poll(deadlineNanos - environment.nanoTime(), TimeUnit.NANOSECONDS);
            }
        }
        if (next != null) {
            taken++;
        }
        return next;
    }

    /** One that is done already; null if there is none now. */
    @Nullable
    DurableFuture<T> poll() {
        DurableFuture<T> next = arrived.poll();
        if (next != null) {
            taken++;
        }
        return next;
    }

    /** All of them, as they come. */
    Stream<DurableFuture<T>> stream() {
        long deadline = environment.nanoTime() + NANOS_MAX;
        Iterator<DurableFuture<T>> iterator = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return Waits.this.hasNext();
            }

            @Override
            public DurableFuture<T> next() {
                try {
                    DurableFuture<T> next = Waits.this.next(deadline);
                    if (next == null) {
                        throw new NoSuchElementException("All futures have been seen");
                    }
                    return next;
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new RatchetException("Interrupted while waiting for futures", interrupted);
                }
            }
        };
        int characteristics = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliterator(iterator, all, characteristics), false);
    }

    /** Whether it is known that a future was cancelled. */
    static boolean isCancelled(DurableFuture<?> future) {
        return future instanceof RemoteFuture<?> remote && remote.isCancelled();
    }

    /** Whether one of those that have arrived failed; for messages and early ends. */
    static boolean hasFailed(DurableFuture<?> future) {
        return future instanceof RemoteFuture<?> remote && remote.hasFailed();
    }
}
