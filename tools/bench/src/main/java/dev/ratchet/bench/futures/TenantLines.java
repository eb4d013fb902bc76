/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lines about tenants that share a cluster. */
final class TenantLines {

    private static final Duration TIME = Duration.ofMinutes(1);
    private static final Duration TIME_QUICK = Duration.ofSeconds(10);
    /** Of the time of each line, how much goes before it and does not count. */
    private static final int WARM_UP_SHARE = 5;

    private static final long EVERY_MILLIS = 100;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private TenantLines() {}

    /**
     * How long a tenant waits for one call now and then, alone, and while another one has filled the queue; what
     * compiles meanwhile goes before either. By time and not by calls, which take a second each where processors are
     * scarce.
     */
    static void tenants(Subject subject) throws Exception {
        Duration time = subject.extent().quick() ? TIME_QUICK : TIME;
        now(subject, time.dividedBy(WARM_UP_SHARE));
        subject.times("call of a tenant alone", 1, now(subject, time));
        try (Ratchet program = subject.connect()) {
            Flood flood = new Flood(program, subject.extent().together());
            flood.begin();
            now(subject, time.dividedBy(WARM_UP_SHARE));
            Latencies times = now(subject, time);
            flood.end();
            subject.times("the same beside a flood", flood.size, times);
        }
    }

    private static Latencies now(Subject subject, Duration time) throws InterruptedException {
        SubmitOptions options = SubmitOptions.ofJob("now-and-then").withTenant("quiet");
        Latencies times = new Latencies();
        long first = System.nanoTime();
        for (int number = 0; System.nanoTime() - first < time.toNanos(); number++) {
            long began = System.nanoTime();
            int result = subject.ratchet()
                    .submit(options, BenchTasks.returning(number))
                    .get();
            times.add(System.nanoTime() - began);
            if (result != number) {
                throw new IllegalStateException("The task of " + number + " has returned " + result);
            }
            Thread.sleep(EVERY_MILLIS);
        }
        return times;
    }

    /** Between half and all of so many calls wait at any time, until it ends. */
    private static final class Flood {
        private static final SubmitOptions OPTIONS =
                SubmitOptions.ofJob("flood").withTenant("flood");

        private final Ratchet program;
        private final int size;
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

        Flood(Ratchet program, int size) {
            this.program = program;
            this.size = size;
        }

        void begin() {
            List<DurableFuture<Integer>> first = Subject.map(program, OPTIONS, size);
            QueueLines.requireSubmitted(first);
            Thread.ofVirtual().start(() -> {
                try {
                    fill(first);
                    drained.complete(true);
                } catch (InterruptedException | RuntimeException failed) {
                    drained.completeExceptionally(failed);
                }
            });
        }

        private void fill(List<DurableFuture<Integer>> first) throws InterruptedException {
            Deque<List<DurableFuture<Integer>>> waiting = new ArrayDeque<>(List.of(first));
            while (!ended.isDone()) {
                List<DurableFuture<Integer>> oldest = waiting.getLast();
                program.await(oldest, oldest.size() / 2, LIMIT);
                if (!ended.isDone()) {
                    waiting.addLast(Subject.map(program, OPTIONS, size / 2));
                }
                if (waiting.size() > 2) {
                    Subject.requireNumbered(waiting.removeFirst()).join();
                }
            }
            waiting.forEach(program::cancelAll);
        }

        /** Cancels what waits. */
        void end() {
            ended.complete(true);
            drained.join();
        }
    }
}
