/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The real clocks and threads of this JVM. One per process; closing it stops its timers and executors. */
public final class SystemEnvironment implements Environment, AutoCloseable {

    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("ratchet-timer").daemon().factory());
    private final ExecutorService executor = Executors.newFixedThreadPool(
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            Thread.ofPlatform().name("ratchet-", 0).daemon().factory());
    private final ExecutorService blockingExecutor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("ratchet-blocking-", 0).factory());

    public SystemEnvironment() {
        // Most timers are limits that are never reached: without this each would be kept until it is due.
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallClockMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    public Executor blockingExecutor() {
        return blockingExecutor;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        ScheduledFuture<?> timer = timers.schedule(() -> executor.execute(task), delayMillis, TimeUnit.MILLISECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public UUID randomId() {
        return UUID.randomUUID();
    }

    @Override
    public void close() {
        timers.shutdownNow();
        executor.shutdown();
        blockingExecutor.shutdown();
    }
}
