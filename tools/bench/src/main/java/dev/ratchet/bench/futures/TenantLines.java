/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureInfo;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

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
        now(subject, time).report(subject, "call of a tenant alone", 1);
        try (Ratchet program = subject.connect()) {
            Flood flood = new Flood(program, subject.extent().together());
            flood.begin();
            now(subject, time.dividedBy(WARM_UP_SHARE));
            long before = flood.ended();
            long began = System.nanoTime();
            Calls calls = now(subject, time);
            double seconds = (System.nanoTime() - began) / 1e9;
            subject.rate("calls of the flood", flood.size, (flood.ended() - before) / seconds, 0);
            flood.end();
            calls.report(subject, "the same beside a flood", flood.size);
        }
    }

    private static Calls now(Subject subject, Duration time) throws InterruptedException {
        SubmitOptions options = SubmitOptions.ofJob("now-and-then").withTenant("quiet");
        Calls calls = new Calls();
        long first = System.nanoTime();
        while (System.nanoTime() - first < time.toNanos()) {
            long beganMillis = System.currentTimeMillis();
            long began = System.nanoTime();
            DurableFuture<Long> call = subject.ratchet().submit(options, BenchTasks.wallMillis());
            call.submitted().thenRun(() -> calls.submitted.add(System.nanoTime() - began));
            long ranMillis = call.get();
            calls.all.add(System.nanoTime() - began);
            calls.add(new Call(call.id(), beganMillis, ranMillis, System.currentTimeMillis()));
            Thread.sleep(EVERY_MILLIS);
        }
        return calls;
    }

    /** By the wall clock of this machine. */
    private record Call(FutureId id, long beganMillis, long ranMillis, long endedMillis) {}

    /** How long calls took, and in which part of their way. */
    private static final class Calls {
        private final Latencies all = new Latencies();
        private final Latencies submitted = new Latencies();
        private final List<Call> each = new ArrayList<>();

        void add(Call call) {
            each.add(call);
        }

        void report(Subject subject, String what, long size) {
            subject.times(what, size, all);
            subject.times("of it: until its submit is acknowledged", size, submitted);
            Latencies recorded = new Latencies();
            Latencies claimed = new Latencies();
            Latencies ran = new Latencies();
            Latencies told = new Latencies();
            for (Call call : each) {
                FutureInfo info = subject.ratchet().describe(call.id()).orElseThrow();
                long submittedMillis = info.submitted().toEpochMilli();
                long claimedMillis = info.claimed().orElseThrow().toEpochMilli();
                add(recorded, submittedMillis - call.beganMillis());
                add(claimed, claimedMillis - submittedMillis);
                add(ran, call.ranMillis() - claimedMillis);
                add(told, call.endedMillis() - call.ranMillis());
            }
            subject.times("of it: until a worker records it", size, recorded);
            subject.times("of it: from there until a worker claims it", size, claimed);
            subject.times("of it: from there until its code runs", size, ran);
            subject.times("of it: from there until its caller has its result", size, told);
        }

        private static void add(Latencies times, long millis) {
            times.add(millis * 1_000_000);
        }
    }

    /** Between half and all of so many calls wait at any time, until it ends. */
    private static final class Flood {
        private static final SubmitOptions OPTIONS =
                SubmitOptions.ofJob("flood").withTenant("flood");

        private final Ratchet program;
        private final int size;
        private final AtomicLong results = new AtomicLong();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

        Flood(Ratchet program, int size) {
            this.program = program;
            this.size = size;
        }

        void begin() {
            List<DurableFuture<Integer>> first = map(size);
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

        private List<DurableFuture<Integer>> map(int count) {
            List<DurableFuture<Integer>> calls = Subject.map(program, OPTIONS, count);
            calls.forEach(call -> call.toCompletableFuture().thenRun(results::incrementAndGet));
            return calls;
        }

        private void fill(List<DurableFuture<Integer>> first) throws InterruptedException {
            Deque<List<DurableFuture<Integer>>> waiting = new ArrayDeque<>(List.of(first));
            while (!ended.isDone()) {
                List<DurableFuture<Integer>> oldest = waiting.getLast();
                program.await(oldest, oldest.size() / 2, LIMIT);
                if (!ended.isDone()) {
                    waiting.addLast(map(size / 2));
                }
                if (waiting.size() > 2) {
                    Subject.requireNumbered(waiting.removeFirst()).join();
                }
            }
            waiting.forEach(program::cancelAll);
        }

        /** How many of its calls have ended so far. */
        long ended() {
            return results.get();
        }

        /** Cancels what waits. */
        void end() {
            ended.complete(true);
            drained.join();
        }
    }
}
