/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.environment.GuardedCallbacks;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs tasks one after the other, in the order they came, on another executor. One that throws is logged and holds up
 * none behind it, which may be the one that gives back what was taken. Safe for use by several threads.
 */
final class SerialExecutor implements Executor {

    private final Executor executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        executor.execute(this::run);
    }

    private void run() {
        while (true) {
            Runnable task;
            synchronized (this) {
                task = waiting.poll();
                if (task == null) {
                    running = false;
                    return;
                }
            }
            GuardedCallbacks.run("a task in its turn", task);
        }
    }
}
