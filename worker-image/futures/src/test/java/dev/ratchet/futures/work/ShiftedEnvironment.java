/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.store.environment.Environment;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Another environment whose clocks a test moves on. */
record ShiftedEnvironment(Environment real, AtomicLong passedMillis) implements Environment {

    ShiftedEnvironment(Environment real) {
        this(real, new AtomicLong());
    }

    void pass(long millis) {
        passedMillis.addAndGet(millis);
    }

    @Override
    public long nanoTime() {
        return real.nanoTime() + 1_000_000 * passedMillis.get();
    }

    @Override
    public long wallClockMillis() {
        return real.wallClockMillis() + passedMillis.get();
    }

    @Override
    public Executor executor() {
        return real.executor();
    }

    @Override
    public Executor blockingExecutor() {
        return real.blockingExecutor();
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        return real.schedule(delayMillis, task);
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }
}
