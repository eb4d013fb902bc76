/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Lines about a graph of three levels, whose busiest worker is lost when all is done: how many tasks run again until
 * the last level has been read, and how many at least have to.
 */
final class LineageLines {

    static final Shape SHAPE = new Shape(10, 2, 256, 128);

    private static final int LEVELS = 3;

    private LineageLines() {}

    static void lineage(Subject subject) throws Exception {
        int width = subject.extent().quick() ? 50 : 200;
        measure(subject, width, 1_000);
        measure(subject, width, 100_000);
        subject.requireCheckedClean();
    }

    private static void measure(Subject subject, int width, int bytes) throws Exception {
        Path trace = Files.createFile(subject.directory().resolve("trace-" + bytes));
        List<List<DurableFuture<byte[]>>> levels = levels(subject.ratchet(), width, bytes, trace);
        for (List<DurableFuture<byte[]>> level : levels) {
            for (DurableFuture<byte[]> future : level) {
                subject.ratchet().await(List.of(future), 1, Subject.LIMIT);
            }
        }
        int before = runs(trace);
        if (before != LEVELS * width) {
            throw new IllegalStateException(before + " tasks have run of " + LEVELS * width + " before any loss");
        }
        List<Set<FutureId>> held = heldAlone(subject, levels);
        Set<FutureId> lost =
                held.stream().max(Comparator.comparingInt(Set::size)).orElseThrow();
        int worker = held.indexOf(lost);
        int least = least(levels, lost);
        subject.cluster().worker(worker).kill();
        long began = System.nanoTime();
        try (Ratchet program = subject.connect()) {
            List<byte[]> values = program.awaitAll(levels.getLast().stream()
                    .map(future -> program.<byte[]>future(future.id()))
                    .toList());
            for (int i = 0; i < width; i++) {
                if (!Arrays.equals(values.get(i), expected(LEVELS - 1, i, width, bytes))) {
                    throw new IllegalStateException("Result " + i + " has become another one");
                }
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        int again = runs(trace) - before;
        subject.rate("results lost with one", bytes, lost.size(), 0);
        subject.rate("tasks to run again", bytes, least, 0);
        subject.rate("tasks that ran again", bytes, again, 0);
        subject.rate("last level, read in ms", bytes, 1e3 * seconds, 0);
        subject.cluster().startWorker(worker);
        subject.cluster().awaitReady();
        levels.forEach(subject.ratchet()::deleteAll);
    }

    private static List<List<DurableFuture<byte[]>>> levels(Ratchet ratchet, int width, int bytes, Path trace) {
        SubmitOptions options = SubmitOptions.ofJob("lineage-" + bytes);
        List<List<DurableFuture<byte[]>>> levels = new ArrayList<>();
        levels.add(ratchet.map(
                options, IntStream.range(0, width).boxed().toList(), BenchTasks.source(bytes, trace.toString())));
        for (int level = 1; level < LEVELS; level++) {
            List<DurableFuture<byte[]>> upstreams = levels.getLast();
            List<DurableFuture<byte[]>> futures = new ArrayList<>();
            for (int i = 0; i < width; i++) {
                futures.add(ratchet.reduce(
                        options,
                        List.of(upstreams.get(i), upstreams.get(other(i, width))),
                        BenchTasks.added(trace.toString())));
            }
            levels.add(futures);
        }
        return levels;
    }

    /** The second upstream of each; the first has its own number. */
    private static int other(int number, int width) {
        return (7 * number + 3) % width;
    }

    private static byte[] expected(int level, int number, int width, int bytes) throws Exception {
        if (level == 0) {
            byte[] value = new byte[bytes];
            new SplittableRandom(number).nextBytes(value);
            return value;
        }
        byte[] sums = expected(level - 1, number, width, bytes);
        byte[] more = expected(level - 1, other(number, width), width, bytes);
        for (int i = 0; i < bytes; i++) {
            sums[i] += more[i];
        }
        return sums;
    }

    /** What each worker holds alone. */
    private static List<Set<FutureId>> heldAlone(Subject subject, List<List<DurableFuture<byte[]>>> levels) {
        List<Set<FutureId>> held = new ArrayList<>();
        for (int worker = 0; worker < subject.cluster().size(); worker++) {
            held.add(new HashSet<>());
        }
        for (List<DurableFuture<byte[]>> level : levels) {
            for (DurableFuture<byte[]> future : level) {
                List<String> holders =
                        subject.ratchet().describe(future.id()).orElseThrow().holders();
                if (holders.size() == 1) {
                    held.get(subject.cluster().numberOf(holders.getFirst())).add(future.id());
                }
            }
        }
        return held;
    }

    /** Lost results of the last level, and those that are needed for that, one by one. */
    private static int least(List<List<DurableFuture<byte[]>>> levels, Set<FutureId> lost) {
        Map<FutureId, Set<FutureId>> needs = new HashMap<>();
        int width = levels.getFirst().size();
        for (int level = 1; level < LEVELS; level++) {
            for (int i = 0; i < width; i++) {
                needs.put(
                        levels.get(level).get(i).id(),
                        new HashSet<>(List.of(
                                levels.get(level - 1).get(i).id(),
                                levels.get(level - 1).get(other(i, width)).id())));
            }
        }
        Set<FutureId> again = new HashSet<>();
        levels.getLast().forEach(future -> add(future.id(), lost, needs, again));
        return again.size();
    }

    private static void add(
            FutureId future, Set<FutureId> lost, Map<FutureId, Set<FutureId>> needs, Set<FutureId> again) {
        if (lost.contains(future) && again.add(future)) {
            needs.getOrDefault(future, Set.of()).forEach(upstream -> add(upstream, lost, needs, again));
        }
    }

    private static int runs(Path trace) throws IOException {
        return Files.readAllLines(trace).size();
    }
}
