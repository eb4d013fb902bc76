/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Items;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** Lines about futures with very many arguments or results, and very many values at once. */
final class WideLines {

    private static final int ARGUMENTS = 10_000;
    /** Upstreams of one future at most, so that more are gathered in two steps. */
    private static final int GATHERED = 2_000;

    private static final int RESULTS = 3_000;
    private static final int OBJECTS = 10_000;
    private static final int ROUNDS = 10;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private WideLines() {}

    static void wide(Subject subject) throws Exception {
        int rounds = subject.extent().quick() ? 1 : ROUNDS;
        SubmitOptions options = SubmitOptions.ofJob("wide");
        List<DurableFuture<Integer>> arguments = subject.map(options, ARGUMENTS);
        Subject.requireNumbered(arguments).join();
        times(subject, "arguments of a future", ARGUMENTS, rounds, () -> {
            int sum = gathered(subject.ratchet(), options, arguments).get();
            require(sum, IntStream.range(0, ARGUMENTS).sum(), "sum of arguments");
        });
        times(subject, "items of a generator", RESULTS, rounds, () -> {
            Items<Integer> items = subject.ratchet().generate(options, BenchTasks.counting(RESULTS));
            Iterator<Integer> read = items.iterator(0);
            for (int number = 0; number < RESULTS; number++) {
                require(read.next(), number, "item");
            }
            require(items.future().get().intValue(), RESULTS, "number of items");
        });
        times(subject, "results of a task", RESULTS, rounds, () -> {
            DurableFuture<List<Integer>> list = subject.ratchet().submit(options, BenchTasks.upTo(RESULTS));
            Subject.requireNumbered(subject.ratchet().split(options, list, RESULTS))
                    .join();
        });
        for (int bytes : new int[] {1_000, 20_000}) {
            get(subject, options, bytes, rounds);
        }
        subject.requireCheckedClean();
    }

    /** What is done as often as there are rounds. */
    private interface Body {
        void run() throws Exception;
    }

    private static void times(Subject subject, String what, long size, int rounds, Body body) throws Exception {
        Latencies times = new Latencies();
        for (int round = 0; round < rounds; round++) {
            long began = System.nanoTime();
            body.run();
            times.add(System.nanoTime() - began);
        }
        subject.times(what, size, times);
    }

    /** One future of so many: those of parts, and one of those. */
    private static DurableFuture<Integer> gathered(
            Ratchet ratchet, SubmitOptions options, List<DurableFuture<Integer>> arguments) {
        List<DurableFuture<Integer>> parts = new ArrayList<>();
        for (int from = 0; from < arguments.size(); from += GATHERED) {
            parts.add(ratchet.reduce(
                    options, arguments.subList(from, Math.min(arguments.size(), from + GATHERED)), BenchTasks.sum()));
        }
        return ratchet.reduce(options, parts, BenchTasks.sum());
    }

    private static void get(Subject subject, SubmitOptions options, int bytes, int rounds) throws Exception {
        List<DurableFuture<byte[]>> objects = subject.ratchet()
                .map(options, IntStream.range(0, OBJECTS).boxed().toList(), BenchTasks.filled(bytes));
        subject.ratchet().await(objects, OBJECTS, LIMIT);
        times(subject, "get 10,000 of bytes", bytes, rounds, () -> {
            try (Ratchet program = subject.connect()) {
                List<DurableFuture<byte[]>> there = objects.stream()
                        .map(object -> program.<byte[]>future(object.id()))
                        .toList();
                List<byte[]> values = program.awaitAll(there);
                for (int number = 0; number < OBJECTS; number++) {
                    byte[] expected = new byte[bytes];
                    Arrays.fill(expected, (byte) number);
                    if (!Arrays.equals(values.get(number), expected)) {
                        throw new IllegalStateException("Object " + number + " has become another one");
                    }
                }
            }
        });
        subject.ratchet().deleteAll(objects);
    }

    private static void require(int there, int expected, String what) {
        if (there != expected) {
            throw new IllegalStateException("The " + what + " is " + there + " instead of " + expected);
        }
    }
}
