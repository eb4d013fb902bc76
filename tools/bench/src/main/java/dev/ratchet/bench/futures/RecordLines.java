/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines about what is recorded of very many futures. */
final class RecordLines {

    private static final int PAGES = 50;

    private RecordLines() {}

    /** How long it takes to list a few of very many futures, and to forget all of them once their retention is over. */
    static void many(Subject subject) throws Exception {
        int count = subject.extent().together();
        String job = "many";
        try (Ratchet program = subject.connect()) {
            SubmitOptions options = SubmitOptions.ofJob(job).withTenant(job).withRetention(Duration.ofSeconds(1));
            Subject.allOf(Subject.map(program, options, count)).join();
            pages(
                    subject,
                    count,
                    Map.of(
                            "first page of 1,000", FutureQuery.all(),
                            "the same of a job", FutureQuery.ofJob(job),
                            "the same of a tenant and state",
                                    FutureQuery.all().withTenant(job).withStates(FutureState.REALIZED)));
            counts(subject, job, count);
        }
        subject.rate("keys of so many", count, subject.keys(), 0);
        // What the program held is forgotten some time after it has left.
        long left = count;
        double commits = subject.commits();
        while (left == count) {
            Thread.sleep(100);
            commits = subject.commits();
            left = remaining(subject, job);
        }
        subject.once("forgotten", count, left, () -> {
            while (remaining(subject, job) > 0) {
                Thread.sleep(10);
            }
            return null;
        });
        subject.rate("commits meanwhile", count, subject.commits() - commits, 0);
        subject.rate("keys that are left", count, subject.keys(), 0);
    }

    /** By turns, since whichever comes first bears what all of them have to compile. */
    private static void pages(Subject subject, int count, Map<String, FutureQuery> queries) {
        Map<String, Latencies> all = new TreeMap<>();
        for (int round = 0; round < PAGES; round++) {
            queries.forEach((what, query) -> {
                long began = System.nanoTime();
                if (subject.ratchet().list(query).limit(1_000).toList().size() != 1_000) {
                    throw new IllegalStateException("Fewer than 1,000 futures are listed of " + count);
                }
                all.computeIfAbsent(what, first -> new Latencies()).add(System.nanoTime() - began);
            });
        }
        all.forEach((what, times) -> subject.times(what, count, times));
    }

    private static void counts(Subject subject, String job, int count) {
        Latencies times = new Latencies();
        for (int round = 0; round < PAGES; round++) {
            long began = System.nanoTime();
            long realized = subject.ratchet().summary(job).count(FutureState.REALIZED);
            times.add(System.nanoTime() - began);
            if (realized != count) {
                throw new IllegalStateException(realized + " futures of " + count + " are counted");
            }
        }
        subject.times("exact counts of a job", count, times);
    }

    /** By how much the heaps of client and workers grow with what is queued, each after a collection of its garbage. */
    static void memory(Subject subject) throws Exception {
        int count = subject.extent().together();
        SubmitOptions options = SubmitOptions.ofJob("memory");
        try (QueueLines.Queued queued = QueueLines.queue(subject, options, List::of)) {
            double workersBefore = workersHeap(subject);
            double clientBefore = ownHeap();
            try (Ratchet program = subject.connect()) {
                List<DurableFuture<Integer>> futures = Subject.map(program, options, count);
                QueueLines.requireSubmitted(futures);
                subject.rate("MB of a client that waits", count, ownHeap() - clientBefore, 0);
                subject.rate("MB of all workers", count, workersHeap(subject) - workersBefore, 0);
                long waiting = subject.ratchet().summary("memory").count(FutureState.QUEUED);
                if (waiting != count) {
                    throw new IllegalStateException(waiting + " futures wait of " + count);
                }
                queued.open();
                Subject.requireNumbered(futures).join();
            }
            Subject.allOf(queued.guards()).join();
        }
    }

    private static double workersHeap(Subject subject) throws IOException {
        long bytes = 0;
        for (int worker = 0; worker < subject.cluster().size(); worker++) {
            bytes += subject.cluster().worker(worker).heapBytes();
        }
        return bytes / 1e6;
    }

    private static double ownHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed() / 1e6;
    }

    private static long remaining(Subject subject, String job) {
        return subject.ratchet().summary(job).states().values().stream()
                .mapToLong(futures -> futures)
                .sum();
    }
}
