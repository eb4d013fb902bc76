/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * Everything a protocol class may not take for itself: clocks, timers, an executor and randomness. Production code gets
 * {@link SystemEnvironment}; the simulator gives a single-threaded one in virtual time, in which two runs of one seed
 * are equal.
 */
public interface Environment {

    /** Monotonic time in nanoseconds, for leases and timeouts; comparable only within this environment. */
    long nanoTime();

    /** Wall-clock milliseconds since 1970, for what people read and for persisted deadlines; may jump. */
    long wallClockMillis();

    /** Runs tasks that do not block; callbacks of futures that protocol code makes belong here. */
    Executor executor();

    /**
     * Runs what may block for as long as it likes, such as users' code and reads of files: each task has a thread of
     * its own, so none waits for another one, and {@link #executor()} for none of them. Where there is but one thread
     * it is the same.
     */
    default Executor blockingExecutor() {
        return executor();
    }

    /**
     * Makes threads of the system for what computes for long, beside one another and with the same data, and for what
     * waits all the time for what others wait for.
     */
    default ThreadFactory threads() {
        return Thread.ofPlatform().name("ratchet-compute-", 1).daemon().factory();
    }

    /** Runs {@code task} on {@link #executor()} after {@code delayMillis}, unless cancelled before. */
    Cancellable schedule(long delayMillis, Runnable task);

    /** Random bits for nonces, jitter and shard choice. Not for secrets. Safe for use by several threads. */
    RandomGenerator random();

    /** 128 random bits for an id: nobody else draws the same ones, in whatever process. */
    default UUID randomId() {
        return new UUID(random().nextLong(), random().nextLong());
    }

    /** A timer that has not fired yet. */
    @FunctionalInterface
    interface Cancellable {
        /** Prevents the task from starting; without effect once it has started. */
        void cancel();
    }
}
