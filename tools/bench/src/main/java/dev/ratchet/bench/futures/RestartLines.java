/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Lines about a store that is killed and started again while a thousand callers call. */
final class RestartLines {

    private static final int CALLERS = 1_000;
    private static final long WARM_UP_MILLIS = 5_000;
    private static final long BEFORE_MILLIS = 3_000;
    private static final long TICK_MILLIS = 20;

    /** Throughput is that of so long a time: longer than what comes at once of all calls that have waited. */
    private static final long WINDOW_NANOS = 1_000_000_000;

    private static final double BACK = 0.9;
    private static final long LIMIT_NANOS = 120_000_000_000L;

    private RestartLines() {}

    static void restart(Subject subject) throws Exception {
        Latencies serving = new Latencies();
        Latencies back = new Latencies();
        double before = 0;
        int rounds = subject.extent().quick() ? 1 : 5;
        Callers callers = new Callers(subject, ForkJoinPool.commonPool());
        callers.start();
        try {
            Thread.sleep(WARM_UP_MILLIS);
            for (int round = 0; round < rounds; round++) {
                long count = callers.done();
                long began = System.nanoTime();
                Thread.sleep(BEFORE_MILLIS);
                double perNano = (callers.done() - count) / (double) (System.nanoTime() - began);
                before += perNano * 1e9 / rounds;
                long killed = System.nanoTime();
                subject.cluster().store().process().kill();
                subject.cluster().store().restartInPlace();
                serving.add(System.nanoTime() - killed);
                back.add(callers.awaitRate(BACK * perNano) - killed);
            }
        } finally {
            callers.stop();
        }
        subject.rate("calls before a kill", CALLERS, before, 0);
        subject.times("kill to a store again", 1, serving);
        subject.times("kill to 90 % of calls", CALLERS, back);
        subject.requireCheckedClean();
    }

    /** Callers that each wait for a call before the next; none may fail, or be given a wrong number. */
    private static final class Callers {
        private final Subject subject;
        private final Executor executor;
        private final LongAdder done = new LongAdder();
        private final AtomicInteger numbers = new AtomicInteger();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final Semaphore ended = new Semaphore(0);

        Callers(Subject subject, Executor executor) {
            this.subject = subject;
            this.executor = executor;
        }

        void start() {
            for (int i = 0; i < CALLERS; i++) {
                executor.execute(this::next);
            }
        }

        private void next() {
            if (stopped.get()) {
                ended.release();
                return;
            }
            int number = numbers.getAndIncrement();
            CompletableFuture<Integer> call = subject.call(number);
            call.whenCompleteAsync(
                    (value, failed) -> {
                        if (failed != null) {
                            failure.compareAndSet(null, failed);
                        } else if (value != number) {
                            failure.compareAndSet(
                                    null, new IllegalStateException("The call of " + number + " returned " + value));
                        }
                        done.increment();
                        next();
                    },
                    executor);
        }

        long done() {
            return done.sum();
        }

        /** Since when so many calls have ended per nanosecond, over a whole window. */
        long awaitRate(double perNano) throws InterruptedException {
            Deque<long[]> seen = new ArrayDeque<>();
            long limit = System.nanoTime() + LIMIT_NANOS;
            while (true) {
                long now = System.nanoTime();
                seen.add(new long[] {now, done()});
                while (now - seen.element()[0] >= WINDOW_NANOS) {
                    long[] first = seen.remove();
                    if ((done() - first[1]) / (double) (now - first[0]) >= perNano) {
                        return first[0];
                    }
                }
                if (now > limit) {
                    throw new IllegalStateException("Calls are not back to " + perNano * 1e9 + " per second after "
                            + LIMIT_NANOS / 1_000_000_000 + " s");
                }
                Thread.sleep(TICK_MILLIS);
            }
        }

        void stop() throws InterruptedException {
            stopped.set(true);
            ended.acquire(CALLERS);
            Throwable failed = failure.get();
            if (failed != null) {
                throw new IllegalStateException("A call has failed", failed);
            }
        }
    }
}
