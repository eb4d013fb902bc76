/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.Environment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What takes too long is ended in time, nothing else is, and few timers are set for that. */
class SharedDeadlineTest {

    private static final long MILLIS = 100;

    /** Time that passes only when the test says so. */
    private static final class Clock implements Environment {

        private record Timer(long atNanos, Runnable task) {}

        private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::atNanos));
        private long nanos;
        private int set;

        void pass(long millis) {
            long until = nanos + millis * 1_000_000;
            while (!timers.isEmpty() && timers.peek().atNanos() <= until) {
                Timer next = timers.remove();
                nanos = next.atNanos();
                next.task().run();
            }
            nanos = until;
        }

        @Override
        public Cancellable schedule(long delayMillis, Runnable task) {
            Timer timer = new Timer(nanos + delayMillis * 1_000_000, task);
            set++;
            timers.add(timer);
            return () -> timers.remove(timer);
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
            return Runnable::run;
        }

        @Override
        public RandomGenerator random() {
            throw new AssertionError("nothing is random");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsNotOverInTimeIsEndedThenAndOneTimerServesAll(long seed) {
        Clock clock = new Clock();
        SharedDeadline sharedDeadline = new SharedDeadline(clock, MILLIS);
        RandomGenerator random = new SplittableRandom(seed);
        List<Long> late = new ArrayList<>();
        int expected = 0;
        for (int i = 0; i < 1_000; i++) {
            long until = clock.nanoTime() + MILLIS * 1_000_000;
            Environment.Cancellable one = sharedDeadline.begin(() -> {
                assertThat(clock.nanoTime()).isBetween(until, until + 1_000_000);
                late.add(until);
            });
            clock.pass(random.nextLong(2));
            if (random.nextInt(50) > 0) {
                one.cancel();
            } else {
                expected++;
            }
        }
        long passedMillis = clock.wallClockMillis();
        assertThat(clock.set).as("timers in %d ms", passedMillis).isLessThanOrEqualTo((int) (passedMillis / 4));

        clock.pass(2 * MILLIS);

        assertThat(late).hasSize(expected).isSorted();
        assertThat(clock.timers).as("timers when nothing is under way").isEmpty();
    }
}
