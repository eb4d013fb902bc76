/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * So many clients, each of which begins its next operation when the one before has ended. Operations are asynchronous,
 * so clients cost no threads. An operation that fails is counted as failed and does not count otherwise.
 */
public final class ClosedLoop {

    /**
     * What a run gave.
     *
     * @param perSecond operations per second
     * @param cpuMicros processor time of all processes per operation, which others on the machine hardly change
     * @param latencies of the operations
     * @param failed how many failed
     */
    public record Result(double perSecond, double cpuMicros, Latencies latencies, long failed) {}

    private final int clients;
    private final Executor executor;
    private final Supplier<? extends CompletableFuture<?>> operation;
    private final LongSupplier cpuNanos;
    private final LongAdder failed = new LongAdder();
    private volatile Latencies latencies = new Latencies();
    private volatile boolean stopped;

    /**
     * A run to come.
     *
     * @param executor where clients go on that did not have to wait
     * @param cpuNanos processor time that what is measured has taken so far
     * @param operation begins one operation; called by several threads
     */
    public ClosedLoop(
            int clients, Executor executor, LongSupplier cpuNanos, Supplier<? extends CompletableFuture<?>> operation) {
        this.clients = clients;
        this.executor = executor;
        this.cpuNanos = cpuNanos;
        this.operation = operation;
    }

    /** Runs the clients for {@code warmUpMillis}, and then for {@code millis}, of which the result tells. */
    public Result run(long warmUpMillis, long millis) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(clients);
        for (int i = 0; i < clients; i++) {
            executor.execute(() -> next(running));
        }
        TimeUnit.MILLISECONDS.sleep(warmUpMillis);
        Latencies measured = new Latencies();
        latencies = measured;
        long failedBefore = failed.sum();
        long cpuBefore = cpuNanos.getAsLong();
        long began = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(millis);
        long count = measured.count();
        double cpuMicros = (cpuNanos.getAsLong() - cpuBefore) / 1e3;
        double seconds = (System.nanoTime() - began) / 1e9;
        long failures = failed.sum() - failedBefore;
        latencies = new Latencies();
        stopped = true;
        running.await();
        return new Result(count / seconds, cpuMicros / Math.max(1, count), measured, failures);
    }

    /** An operation for which the calling thread waits. */
    public static CompletableFuture<?> waited(Callable<?> operation) {
        try {
            return CompletableFuture.completedFuture(operation.call());
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void next(CountDownLatch running) {
        if (stopped) {
            running.countDown();
            return;
        }
        long began = System.nanoTime();
        CompletableFuture<?> done;
        try {
            done = operation.get();
        } catch (RuntimeException refused) {
            done = CompletableFuture.failedFuture(refused);
        }
        boolean waits = !done.isDone();
        done.whenComplete((value, failure) -> {
            if (failure == null) {
                latencies.add(System.nanoTime() - began);
            } else {
                failed.increment();
            }
            if (waits) {
                next(running);
            } else {
                // The others want their turn too.
                executor.execute(() -> next(running));
            }
        });
    }
}
