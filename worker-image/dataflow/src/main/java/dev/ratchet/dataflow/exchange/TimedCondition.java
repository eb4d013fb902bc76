/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A condition of a lock whose timed waits take the time of an environment. Used by who holds the lock. */
@SuppressWarnings("WaitNotInLoop") // Whoever calls it does so in a loop.
final class TimedCondition {

    private final ReentrantLock lock;
    private final Condition condition;
    private final Environment environment;

    TimedCondition(ReentrantLock lock, Environment environment) {
        this.lock = lock;
        this.condition = lock.newCondition();
        this.environment = environment;
    }

    void signalAll() {
        condition.signalAll();
    }

    void await() throws InterruptedException {
        condition.await();
    }

    /**
     * Waits for a signal, for so long at most.
     *
     * @return what is left of that time, 0 or less where it has passed
     */
    long awaitNanos(long nanos) throws InterruptedException {
        long end = environment.nanoTime() + nanos;
        // A millisecond more, so that it has passed by this clock too.
        Cancellable timer = environment.schedule(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, this::wake);
        try {
            condition.await();
        } finally {
            timer.cancel();
        }
        return end - environment.nanoTime();
    }

    private void wake() {
        lock.lock();
        try {
            condition.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
