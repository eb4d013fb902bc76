/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.nexmark.ChangeFile;
import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkChanges;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The process that loads a query's state in large steps and then changes one row in each step. Arguments: how many
 * events to load, and names of queries. Nothing is let go, as there are no watermarks.
 */
public final class StateProcess {

    private static final int LOAD_CHANGES = 100_000;
    private static final int WARM_UP_STEPS = 5_000;
    private static final int STEPS = 10_000;

    private StateProcess() {}

    /** Runs the queries of the arguments. */
    public static void main(String[] arguments) throws IOException {
        int events = Integer.parseInt(arguments[0]);
        for (int i = 1; i < arguments.length; i++) {
            measure(NexmarkQuery.named(arguments[i]), events);
        }
    }

    private static void measure(NexmarkQuery query, int events) throws IOException {
        NexmarkChanges changes = new NexmarkChanges(0, 0);
        SqlProgram program = SqlProgram.compile(query.program(false));
        long heapBefore = heapBytes();
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            NexmarkFeed feed = new NexmarkFeed(circuit, query);
            long loadNanos = 0;
            for (int loaded = 0; loaded < events; loaded += LOAD_CHANGES) {
                NexmarkChangeReader chunk = chunk(changes, Math.min(LOAD_CHANGES, events - loaded));
                long began = System.nanoTime();
                while (chunk.next()) {
                    feed.add(chunk);
                }
                RatchetProcess.step(circuit, query.name());
                loadNanos += System.nanoTime() - began;
            }
            // What the last step gave is no state; the next one forgets it.
            RatchetProcess.step(circuit, query.name());
            long heap = heapBytes() - heapBefore;
            long rows = circuit.metrics().stream()
                    .mapToLong(OperatorMetrics::stateRows)
                    .sum();
            long bytes = circuit.metrics().stream()
                    .mapToLong(OperatorMetrics::stateBytes)
                    .sum();
            update(circuit, feed, query, chunk(changes, WARM_UP_STEPS));
            Latencies latencies = update(circuit, feed, query, chunk(changes, STEPS));
            System.out.printf(
                    Locale.ROOT,
                    "%s\t%s\t%d\t%.0f\t%d\t%d\t%d\t%.1f\t%.1f%n",
                    NexmarkRuns.RESULT,
                    query.name(),
                    events,
                    events / (loadNanos / 1e9),
                    rows,
                    heap,
                    bytes,
                    latencies.percentileNanos(0.5) / 1e3,
                    latencies.percentileNanos(0.99) / 1e3);
        }
    }

    /** Steps of one change each, of those that the query reads: others change nothing and would flatter the median. */
    private static Latencies update(
            Circuit circuit, NexmarkFeed feed, NexmarkQuery query, NexmarkChangeReader changes) {
        Latencies latencies = new Latencies();
        while (changes.next()) {
            if (query.reads(changes.table().title())) {
                long began = System.nanoTime();
                feed.add(changes);
                RatchetProcess.step(circuit, query.name());
                latencies.add(System.nanoTime() - began);
            }
        }
        return latencies;
    }

    private static NexmarkChangeReader chunk(NexmarkChanges changes, int count) throws IOException {
        Path file = Files.createTempFile("ratchet-bench-", ".changes");
        try {
            ChangeFile.write(file, changes, count);
            return new NexmarkChangeReader(ChangeFile.read(file));
        } finally {
            Files.delete(file);
        }
    }

    private static long heapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
