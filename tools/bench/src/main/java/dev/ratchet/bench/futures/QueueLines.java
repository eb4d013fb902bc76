/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.futures.BenchTasks.Trace;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Lines about what is queued: how fast it is taken by those who have nothing else to do. */
final class QueueLines {

    /** A queue that takes longer is broken, not slow. */
    static final Duration DRAIN = Duration.ofMinutes(5);

    /** So many results of a deep queue are waited for. */
    private static final int FIRST = 10_000;

    /** Commits that the store has refused because another one has changed what they had read. */
    private static final String CONFLICTS = "ratchet_store_errors_total{code=\"1020\"}";

    /** With a time limit a future is in no block. */
    private static final Duration ALONE = Duration.ofHours(1);

    private static final int PAUSE_TASK_MILLIS = 20;
    private static final int PAUSE_ROUNDS = 100;

    private QueueLines() {}

    /** How fast futures are drained when many more wait behind them. */
    static void depth(Subject subject) throws Exception {
        int many = subject.extent().quick() ? 100_000 : 1_000_000;
        for (int depth : new int[] {Math.min(FIRST, subject.extent().together()), many}) {
            SubmitOptions options = SubmitOptions.ofJob("depth-" + depth);
            Queued queued = queue(subject, options, () -> subject.map(options, depth));
            drain(subject, "drained from a queue of", Math.min(FIRST, depth), queued);
        }
    }

    /** How fast futures that are claimed one by one are drained by so many workers, and how often two of them meet. */
    static void claims(Subject subject) throws Exception {
        int count = Math.min(20_000, subject.extent().together());
        SubmitOptions options = SubmitOptions.ofJob("claims");
        Queued queued = queue(subject, options, () -> oneByOne(subject, options, count));
        double conflicts = subject.cluster().storeMetric(CONFLICTS);
        double claims = subject.claims();
        drain(subject, "claimed from one queue", count, queued);
        conflicts = subject.cluster().storeMetric(CONFLICTS) - conflicts;
        claims = subject.claims() - claims;
        subject.rate("claims for all", count, claims, 0);
        subject.rate("conflicts meanwhile", count, conflicts, 0);
    }

    /**
     * For how long a worker with nothing to do is left so while something waits. Each task says where and when it ran;
     * of each worker the longest time without any counts, from its first task to the moment when the last one of all
     * began.
     */
    static void pauses(Subject subject) throws Exception {
        int count = subject.slots() * (subject.extent().quick() ? PAUSE_ROUNDS / 4 : PAUSE_ROUNDS);
        SubmitOptions options = SubmitOptions.ofJob("pauses");
        SubmitOptions alone = options.withAttemptTimeout(ALONE);
        List<DurableFuture<Trace>> futures = new ArrayList<>();
        Queued queued = queue(subject, options, () -> {
            for (int number = 0; number < count; number++) {
                futures.add(subject.ratchet().submit(alone, BenchTasks.tracing(number, PAUSE_TASK_MILLIS)));
            }
            requireSubmitted(futures);
            return List.of();
        });
        queued.open();
        List<Trace> traces = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Trace trace = futures.get(number).get(DRAIN);
            if (trace.number() != number) {
                throw new IllegalStateException("The task of " + number + " has returned " + trace);
            }
            traces.add(trace);
        }
        Subject.allOf(queued.guards()).join();
        subject.times("longest pause of a worker", count, longestPauses(traces));
    }

    /** One for each worker. */
    private static Latencies longestPauses(List<Trace> traces) {
        long lastMillis = traces.stream().mapToLong(Trace::fromMillis).max().orElseThrow();
        Map<String, List<Trace>> bySeat = new TreeMap<>();
        traces.stream().sorted(Comparator.comparingLong(Trace::fromMillis)).forEach(trace -> bySeat.computeIfAbsent(
                        trace.seat(), seat -> new ArrayList<>())
                .add(trace));
        Latencies pauses = new Latencies();
        for (List<Trace> ofOne : bySeat.values()) {
            long longest = 0;
            long until = ofOne.getFirst().fromMillis();
            for (Trace trace : ofOne) {
                longest = Math.max(longest, trace.fromMillis() - until);
                until = Math.max(until, trace.toMillis());
            }
            pauses.add(Math.max(longest, lastMillis - until) * 1_000_000);
        }
        return pauses;
    }

    /** What waits behind guards that have every slot until a file is gone. */
    record Queued(Path gate, List<DurableFuture<Integer>> guards, List<DurableFuture<Integer>> futures)
            implements AutoCloseable {

        /** Lets the guards end. */
        void open() throws IOException {
            Files.deleteIfExists(gate);
        }

        @Override
        public void close() throws IOException {
            open();
        }
    }

    static Queued queue(Subject subject, SubmitOptions options, Supplier<List<DurableFuture<Integer>>> submit)
            throws Exception {
        Path gate = Files.createTempFile("ratchet-bench-gate", "");
        List<DurableFuture<Integer>> guards = new ArrayList<>();
        for (int i = 0; i < subject.slots(); i++) {
            guards.add(subject.ratchet().submit(options, BenchTasks.waitingFor(gate.toString())));
        }
        List<DurableFuture<Integer>> futures = submit.get();
        requireSubmitted(futures);
        return new Queued(gate, guards, futures);
    }

    /** So many tasks that return their number, each recorded, queued and claimed on its own. */
    static List<DurableFuture<Integer>> oneByOne(Subject subject, SubmitOptions options, int count) {
        SubmitOptions alone = options.withAttemptTimeout(ALONE);
        return IntStream.range(0, count)
                .mapToObj(number -> subject.ratchet().submit(alone, BenchTasks.returning(number)))
                .toList();
    }

    /** Waits until all are acknowledged. */
    static void requireSubmitted(List<? extends DurableFuture<?>> futures) {
        CompletableFuture.allOf(futures.stream()
                        .map(future -> future.submitted().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** A line for the first results of what is queued. */
    private static void drain(Subject subject, String what, int first, Queued queued) throws Exception {
        subject.once(what, queued.futures().size(), first, () -> {
            queued.open();
            int done = subject.ratchet()
                    .await(queued.futures(), first, DRAIN)
                    .done()
                    .size();
            if (done < first) {
                throw new IllegalStateException("Only " + done + " of " + first + " are here after " + DRAIN);
            }
            return null;
        });
        Subject.requireNumbered(queued.futures()).join();
        Subject.allOf(queued.guards()).join();
    }
}
