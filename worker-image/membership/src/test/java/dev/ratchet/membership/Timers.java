/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import dev.ratchet.store.environment.Environment;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Timers that fire when the test says so; one that is cancelled does nothing. All else that is to run later runs at
 * once.
 */
public record Timers(Environment real, List<Runnable> waiting) implements Environment {

    /** Whatever waits is due. */
    public void fire() {
        List<Runnable> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(Runnable::run);
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        waiting.add(task);
        return () -> waiting.remove(task);
    }

    @Override
    public long nanoTime() {
        return real.nanoTime();
    }

    @Override
    public long wallClockMillis() {
        return real.wallClockMillis();
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }
}
