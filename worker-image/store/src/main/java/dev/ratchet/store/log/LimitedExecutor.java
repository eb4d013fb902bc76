/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks on an executor that others use as well, only so many at a time: the rest wait in order. How many may wait
 * is limited by those who give them.
 */
final class LimitedExecutor implements Executor {

    private final int running;
    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();

    LimitedExecutor(int running, Executor executor) {
        this.running = running;
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        begin();
    }

    private void begin() {
        if (begun.getAndUpdate(count -> Math.min(running, count + 1)) < running) {
            executor.execute(this::runOne);
        }
    }

    private void runOne() {
        try {
            Runnable task = waiting.poll();
            if (task != null) {
                task.run();
            }
        } finally {
            begun.decrementAndGet();
            if (!waiting.isEmpty()) {
                begin();
            }
        }
    }
}
