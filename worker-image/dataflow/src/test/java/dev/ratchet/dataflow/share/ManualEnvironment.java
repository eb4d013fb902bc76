/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.store.environment.Environment;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Runs everything at once in the caller's thread, and timers when a test says so. */
final class ManualEnvironment implements Environment {

    private final Queue<Runnable> timers = new ArrayDeque<>();

    /** Lets the timers fire that wait now. */
    void fireTimers() {
        for (int count = timers.size(); count > 0; count--) {
            timers.remove().run();
        }
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public long wallClockMillis() {
        return 0;
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        timers.add(task);
        return () -> timers.remove(task);
    }

    @Override
    public RandomGenerator random() {
        throw new UnsupportedOperationException("Nothing is drawn here");
    }
}
