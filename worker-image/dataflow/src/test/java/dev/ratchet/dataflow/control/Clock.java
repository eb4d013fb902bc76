/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import dev.ratchet.environment.Environment;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Time that passes when a test says so, and nothing else. One thread. */
final class Clock implements Environment {

    private long nanos;

    void pass(long passed) {
        nanos += passed;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallClockMillis() {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public Executor executor() {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public RandomGenerator random() {
        throw new IllegalStateException("not asked for");
    }
}
