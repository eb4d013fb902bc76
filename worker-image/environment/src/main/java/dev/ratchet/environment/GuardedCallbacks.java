/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For what must go on whatever one of its steps throws: loops, timers, and whoever tells several of something. What a
 * callback throws nobody sees, and what it would have done next does not happen: a loop that arms itself in its last
 * line is over, in a process that lives. Errors count as well: what overflows a stack, or lacks a class, must not leave
 * others waiting.
 */
public final class GuardedCallbacks {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedCallbacks.class);

    private GuardedCallbacks() {}

    /** Begins something; what that throws at once is a failure like any later one. Never throws. */
    public static <T> CompletableFuture<T> begin(Supplier<? extends CompletableFuture<T>> action) {
        try {
            return action.get();
        } catch (RuntimeException | Error unexpected) {
            return CompletableFuture.failedFuture(unexpected);
        }
    }

    /**
     * Does something that others must not suffer from; what it throws is logged.
     *
     * @param what it does, for people
     */
    public static void run(String what, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error unexpected) {
            LOG.error("{} has failed as nobody expects; all else goes on", what, unexpected);
        }
    }

    /** Does something, or, where that throws, something else that ends it: nobody is left waiting. Never throws. */
    public static void or(Runnable action, Consumer<Throwable> otherwise) {
        try {
            action.run();
        } catch (RuntimeException | Error unexpected) {
            run("ending what has failed", () -> otherwise.accept(unexpected));
        }
    }

    /** Tells each of them, whatever others throw; see {@link #run}. */
    public static <T> void each(String what, Iterable<T> all, Consumer<? super T> action) {
        all.forEach(one -> run(what, () -> action.accept(one)));
    }

    /**
     * Does something again and again, with so much time between the rounds, until {@code over}; a round that throws is
     * logged and followed by the next.
     */
    public static void repeat(Environment environment, String what, long millis, BooleanSupplier over, Runnable round) {
        if (!over.getAsBoolean()) {
            var unused = environment.schedule(millis, () -> {
                run(what, round);
                repeat(environment, what, millis, over, round);
            });
        }
    }
}
