/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.environment.Environment;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** An environment of one thread in virtual time: nothing runs but in {@link #runAll}, and always in the same order. */
public final class SteppedEnvironment implements Environment {

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::nanos).thenComparingLong(Timer::order));
    private final SplittableRandom random;
    private long nanos;
    private long order;

    private record Timer(long nanos, long order, Runnable task) {}

    /** All randomness comes from the seed. */
    public SteppedEnvironment(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Runs tasks, and timers in their time, until nothing is left to do. */
    public void runAll() {
        while (true) {
            Runnable task = tasks.poll();
            if (task != null) {
                nanos += 1000;
                task.run();
                continue;
            }
            Timer timer = timers.poll();
            if (timer == null) {
                return;
            }
            nanos = Math.max(nanos, timer.nanos);
            timer.task.run();
        }
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallClockMillis() {
        return nanos / 1_000_000;
    }

    @Override
    public Executor executor() {
        return tasks::add;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        Timer timer = new Timer(nanos + delayMillis * 1_000_000, order++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }
}
