/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws that tie a program that is fed changes to the same program that is fed all at once. */
class IncrementLawTest {

    private static final int STEPS = 6;
    private static final int[] WORKER_THREADS = {1, 2, 3, 5};

    static LongStream seeds() {
        return Samples.seeds(6);
    }

    /** Changes whose sums never hold a row less than not at all, as tables do. */
    private static List<Batch> tableChanges(Samples samples) {
        List<Batch> changes = new ArrayList<>();
        ModelSet held = new ModelSet();
        for (int step = 0; step < STEPS; step++) {
            ModelSet change = new ModelSet();
            ModelSet.read(LawTest.SCHEMA, LawTest.change(samples).cursor())
                    .weights()
                    .forEach((row, weight) -> {
                        long there = held.weights().getOrDefault(row, 0L);
                        change.add(row, Math.max(-there, weight));
                    });
            held.add(change);
            changes.add(LawTest.batch(change));
        }
        return changes;
    }

    private static List<ModelSet> run(Function<Stream, Stream> query, int workerThreads, List<Batch> changes) {
        List<Batch> nothing =
                changes.stream().map(batch -> Batch.empty(LawTest.SCHEMA)).toList();
        return LawTest.outputs((a, b) -> query.apply(a), workerThreads, changes, nothing);
    }

    /** What the query answers over everything at once, in a circuit that has seen nothing else. */
    private static ModelSet answer(Function<Stream, Stream> query, List<Batch> changes) {
        return run(query, 1, List.of(BatchMerge.merge(LawTest.SCHEMA, changes))).get(0);
    }

    private static void checkIncrement(String name, Function<Stream, Stream> query, long seed, List<Batch> changes) {
        for (int workerThreads : WORKER_THREADS) {
            List<ModelSet> outputs = run(query, workerThreads, changes);
            ModelSet sum = new ModelSet();
            for (int step = 0; step < STEPS; step++) {
                ModelSet before = answer(query, changes.subList(0, step));
                ModelSet after = answer(query, changes.subList(0, step + 1));
                sum.add(outputs.get(step));
                String where = name + " seed " + seed + " worker threads " + workerThreads + " step " + step;
                assertThat(sum).as("sum of %s", where).isEqualTo(after);
                after.add(negated(before));
                assertThat(outputs.get(step)).as("difference of %s", where).isEqualTo(after);
            }
        }
    }

    private static ModelSet negated(ModelSet set) {
        ModelSet negated = new ModelSet();
        set.weights().forEach((row, weight) -> negated.add(row, -weight));
        return negated;
    }

    /** L11: Q(I(s)) = I(Q^Δ(s)) and D(Q(s)) = Q^Δ(D(s)); the query over all is asked of a circuit made for it. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theIncrementOfAQueryIsTheChangeOfItsAnswer(long seed) {
        Samples samples = new Samples(seed);
        List<Batch> changes = tableChanges(samples);
        List<String> names = LawTest.QUERIES.keySet().stream().sorted().toList();
        for (int i = (int) (seed & 1); i < names.size(); i += 2) {
            checkIncrement(names.get(i), LawTest.QUERIES.get(names.get(i)), seed, changes);
        }
    }

    /** L13: the increment of a fixpoint is the fixpoint of the increment of its body. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theIncrementOfAFixpointIsTheFixpointOfTheIncrement(long seed) {
        List<Batch> changes = tableChanges(new Samples(seed));
        for (int workerThreads : WORKER_THREADS) {
            List<ModelSet> outputs = closure(workerThreads, changes);
            ModelSet sum = new ModelSet();
            for (int step = 0; step < STEPS; step++) {
                sum.add(outputs.get(step));
                List<Batch> all = List.of(BatchMerge.merge(LawTest.SCHEMA, changes.subList(0, step + 1)));
                assertThat(sum)
                        .as("seed %d worker threads %d step %d", seed, workerThreads, step)
                        .isEqualTo(closure(1, all).get(0));
            }
        }
    }

    private static List<ModelSet> closure(int workerThreads, List<Batch> changes) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream edges = builder.table("t0", LawTest.PAIR);
        builder.view(
                "v",
                builder.recursive(
                                "paths",
                                List.of(LawTest.PAIR),
                                paths -> List.of(edges.plus(paths.get(0)
                                        .join(edges, JoinKind.INNER, List.of(1), List.of(0))
                                        .project(List.of(0, 3)))))
                        .get(0));
        return batches(builder, workerThreads, changes).stream()
                .map(batch -> ModelSet.read(batch.schema(), batch.cursor()))
                .toList();
    }

    private static List<Batch> batches(CircuitBuilder builder, int workerThreads, List<Batch> changes) {
        List<Batch> outputs = new ArrayList<>();
        try (Circuit circuit = new Circuit(builder.build(), CircuitOptions.inMemory(workerThreads))) {
            changes.forEach(change -> outputs.add(Twin.step(circuit, List.of(change))));
        }
        return outputs;
    }

    /** L16: which rows distinct gives follows from the weight of each before and its change. */
    @ParameterizedTest
    @MethodSource("seeds")
    void distinctChangesWhereAWeightCrossesZero(long seed) {
        Samples samples = new Samples(seed);
        List<Batch> changes = LawTest.changes(samples, STEPS);
        for (int workerThreads : WORKER_THREADS) {
            List<ModelSet> outputs = run(Stream::distinct, workerThreads, changes);
            ModelSet before = new ModelSet();
            for (int step = 0; step < STEPS; step++) {
                ModelSet change =
                        ModelSet.read(LawTest.SCHEMA, changes.get(step).cursor());
                Map<List<Object>, Long> expected = new HashMap<>();
                change.weights().forEach((row, weight) -> {
                    long was = before.weights().getOrDefault(row, 0L);
                    long crossing = (was + weight > 0 ? 1L : 0L) - (was > 0 ? 1L : 0L);
                    if (crossing != 0) {
                        expected.put(row, crossing);
                    }
                });
                assertThat(outputs.get(step).weights())
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(expected);
                before.add(change);
            }
        }
    }

    /** L22: a fixpoint whose body does not read it is its body. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aFixpointOfAConstantBodyIsTheBody(long seed) {
        List<Batch> changes = tableChanges(new Samples(seed));
        for (int workerThreads : WORKER_THREADS) {
            CircuitBuilder builder = new CircuitBuilder();
            Stream table = builder.table("t0", LawTest.PAIR);
            builder.view(
                    "v",
                    builder.recursive("constant", List.of(LawTest.PAIR), unread -> List.of(table))
                            .get(0));
            List<ModelSet> given = batches(builder, workerThreads, changes).stream()
                    .map(batch -> ModelSet.read(batch.schema(), batch.cursor()))
                    .toList();
            assertThat(given)
                    .as("seed %d worker threads %d", seed, workerThreads)
                    .isEqualTo(run(Stream::distinct, 1, changes));
        }
    }

    /** L28: the same input again gives the same bytes, in any number of worker threads. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aReplayGivesTheSameBytes(long seed) {
        List<Batch> changes = LawTest.changes(new Samples(seed), STEPS);
        LawTest.QUERIES.forEach((name, query) -> {
            List<byte[]> first = encoded(query, 1, changes);
            for (int workerThreads : new int[] {1, 2, 3, 5, 5}) {
                assertThat(encoded(query, workerThreads, changes))
                        .as("%s seed %d worker threads %d", name, seed, workerThreads)
                        .usingElementComparator(java.util.Arrays::compare)
                        .isEqualTo(first);
            }
        });
    }

    private static List<byte[]> encoded(Function<Stream, Stream> query, int workerThreads, List<Batch> changes) {
        CircuitBuilder builder = new CircuitBuilder();
        builder.view("v", query.apply(builder.table("t0", LawTest.PAIR)));
        return batches(builder, workerThreads, changes).stream()
                .map(BatchFormat::encode)
                .toList();
    }
}
