/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.JavaProcess;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lines about a worker that is lost with a thousand futures: until the last of them runs on the other worker. */
final class CrashLines {

    /** A slot for each future on either worker. */
    static final Shape SHAPE = new Shape(2, CrashLines.HELD, 1 << 10, 64);

    private static final int HELD = 1_000;
    private static final int ELSEWHERE_MAX = HELD / 3;
    private static final int COUNTS_AT_ONCE = 500;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private CrashLines() {}

    static void crash(Subject subject) throws Exception {
        Latencies running = new Latencies();
        Latencies assigned = new Latencies();
        // Workers that have just started are mostly compilers: the first round does not count.
        round(subject, "first", false, false, HELD);
        int rounds = subject.extent().quick() ? 1 : 10;
        for (int round = 0; round < rounds; round++) {
            running.add(round(subject, "running-" + round, false, false, ELSEWHERE_MAX));
            assigned.add(round(subject, "assigned-" + round, true, false, ELSEWHERE_MAX));
        }
        subject.times("kill -9, all run again", HELD, running);
        subject.times("kill -9, all assigned run", HELD, assigned);
        Latencies silent = new Latencies();
        for (int round = 0; round < (subject.extent().quick() ? 1 : 3); round++) {
            silent.add(round(subject, "silent-" + round, false, true, ELSEWHERE_MAX));
        }
        subject.times("silence, all run again", HELD, silent);
        subject.requireCheckedClean();
    }

    /**
     * The futures are on the first worker, which is lost; nanoseconds until the last of them has begun on the other.
     *
     * @param behind whether they wait there behind something that takes all slots
     * @param silent whether the worker stands still until they are done, instead of being killed
     * @param elsewhereMax how many may have begun on the other worker: who has no time for some gives them back
     */
    private static long round(Subject subject, String name, boolean behind, boolean silent, int elsewhereMax)
            throws Exception {
        Cluster cluster = subject.cluster();
        Path directory = Files.createDirectory(subject.directory().resolve(name));
        Path gate = Files.createFile(subject.directory().resolve(name + "-gate"));
        SubmitOptions options = SubmitOptions.ofJob(name).withLocality(Locality.onSeat(cluster.seat(0)));
        List<DurableFuture<Long>> guard = new ArrayList<>();
        if (behind) {
            guard.add(subject.ratchet()
                    .submit(
                            options.withRequirements(Requirements.cpus(HELD)),
                            BenchTasks.held(HELD, directory, gate, cluster.seat(0), name)));
            awaitTraces(directory, 1, 0);
        }
        List<DurableFuture<Long>> futures = new ArrayList<>();
        for (int number = 0; number < HELD; number++) {
            futures.add(
                    subject.ratchet().submit(options, BenchTasks.held(number, directory, gate, cluster.seat(0), name)));
        }
        for (DurableFuture<Long> future : futures) {
            future.submitted().toCompletableFuture().join();
        }
        awaitTraces(directory, behind ? 1 : HELD, elsewhereMax);

        JavaProcess worker = cluster.worker(0);
        long lost = System.currentTimeMillis();
        if (silent) {
            worker.pause();
        } else {
            worker.kill();
        }
        long last = 0;
        for (DurableFuture<Long> future : futures) {
            last = Math.max(last, future.get(LIMIT));
        }
        for (DurableFuture<Long> future : guard) {
            future.get(LIMIT);
        }
        Files.delete(gate);
        if (silent) {
            // What it still runs ends now, and is recorded by nobody.
            worker.resume();
            worker.awaitExit();
        }
        cluster.startWorker(0);
        cluster.awaitReady();
        futures.addAll(guard);
        requireCounted(subject, futures, name);
        Directories.delete(directory);
        return (last - lost) * 1_000_000;
    }

    /** Waits until so many have begun, most of them where they are meant to. */
    private static void awaitTraces(Path directory, int count, int elsewhereMax)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        int begun;
        int elsewhere;
        do {
            Thread.sleep(20);
            try (Stream<Path> traces = Files.list(directory)) {
                List<String> names =
                        traces.map(trace -> trace.getFileName().toString()).toList();
                begun = names.size();
                elsewhere = (int) names.stream()
                        .filter(name -> name.startsWith(BenchTasks.ELSEWHERE))
                        .count();
            }
        } while (begun < count && System.nanoTime() < deadline);
        if (begun < count || elsewhere > elsewhereMax) {
            throw new IllegalStateException("Of " + count + " futures for the first worker " + begun
                    + " have begun after " + LIMIT + ", " + elsewhere + " of them elsewhere");
        }
    }

    /** Each result was recorded once, whoever ran it: it has counted once. */
    private static void requireCounted(Subject subject, List<DurableFuture<Long>> futures, String name)
            throws InterruptedException {
        for (int from = 0; from < futures.size(); from += COUNTS_AT_ONCE) {
            int to = Math.min(futures.size(), from + COUNTS_AT_ONCE);
            List<Integer> counts = subject.ratchet()
                    .submit(SubmitOptions.ofJob("counts"), BenchTasks.counts(from, to, name))
                    .get();
            for (int number = from; number < to; number++) {
                if (counts.get(number - from) != 1) {
                    throw new IllegalStateException("Future " + number + " of " + name + " has counted "
                            + counts.get(number - from) + " times");
                }
            }
        }
    }
}
