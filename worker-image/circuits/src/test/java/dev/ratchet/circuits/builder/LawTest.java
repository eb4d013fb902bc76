/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of streams of Z-sets, each for random programs on random streams of changes with weights of both signs: what
 * two programs give in every step is the same, for 1, 2, 3 and 5 worker threads.
 */
class LawTest {

    private static final ColumnType NUMBER = ColumnType.decimal(1, 0).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    static final List<ColumnType> PAIR = List.of(NUMBER, NUMBER);
    static final RowSchema SCHEMA = new RowSchema(PAIR, List.of());
    private static final int STEPS = 7;

    /** Programs of one stream that are made of every kind of operator. */
    static final Map<String, Function<Stream, Stream>> QUERIES = Map.of(
            "filter", stream -> stream.filter(row -> row.isNull(1) || row.longAt(1) > 0),
            "swap", stream -> stream.project(List.of(1, 0)),
            "distinct", Stream::distinct,
            "join",
                    stream -> stream.join(stream, JoinKind.INNER, List.of(0), List.of(1))
                            .project(List.of(1, 2)),
            "count",
                    stream -> stream.aggregate(List.of(0), List.of(AggregateCall.countRows(BIGINT)))
                            .map(PAIR, (row, out) -> {
                                out.copy(0, NUMBER.storage(), row, 0);
                                out.setLong(1, row.longAt(1) % 10);
                            }),
            "most",
                    stream -> stream.distinct()
                            .aggregate(List.of(1), List.of(AggregateCall.of(AggregateKind.MAX, 0, NUMBER)))
                            .project(List.of(1, 0)),
            "first", stream -> stream.distinct().topK(List.of(0), List.of(SortColumn.descending(1)), 2),
            "anti", stream -> stream.join(stream, JoinKind.ANTI, List.of(0), List.of(1)));

    static LongStream seeds() {
        return Samples.seeds(10);
    }

    static Batch change(Samples samples) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        for (int i = samples.random().nextInt(6); i > 0; i--) {
            ModelSet.add(builder, samples.row(SCHEMA), samples.random().nextInt(-3, 4));
        }
        return builder.build();
    }

    static List<Batch> changes(Samples samples, int steps) {
        List<Batch> changes = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            changes.add(change(samples));
        }
        return changes;
    }

    /** What a program of two tables gives in each step. */
    static List<ModelSet> outputs(
            BiFunction<Stream, Stream, Stream> program, int workerThreads, List<Batch> left, List<Batch> right) {
        CircuitBuilder builder = new CircuitBuilder();
        builder.view("v", program.apply(builder.table("t0", PAIR), builder.table("t1", PAIR)));
        List<ModelSet> outputs = new ArrayList<>();
        try (Circuit circuit = new Circuit(
                builder.build(),
                CircuitOptions.inMemory(workerThreads).withSmallStepRows(workerThreads % 2 == 0 ? 99 : 0))) {
            for (int step = 0; step < left.size(); step++) {
                Batch output = Twin.step(circuit, List.of(left.get(step), right.get(step)));
                outputs.add(ModelSet.read(output.schema(), output.cursor()));
            }
        }
        return outputs;
    }

    private static void same(
            long seed, BiFunction<Stream, Stream, Stream> one, BiFunction<Stream, Stream, Stream> two) {
        Samples samples = new Samples(seed);
        List<Batch> left = changes(samples, STEPS);
        List<Batch> right = changes(samples, STEPS);
        List<ModelSet> expected = outputs(one, 1, left, right);
        for (int workerThreads : new int[] {1, 2, 3, 5}) {
            assertThat(outputs(two, workerThreads, left, right))
                    .as("seed %d worker threads %d", seed, workerThreads)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void batchesAreAGroup(long seed) {
        Samples samples = new Samples(seed);
        Batch a = change(samples);
        Batch b = change(samples);
        Batch c = change(samples);
        assertThat(bytes(sum(sum(a, b), c))).as("L1").isEqualTo(bytes(sum(a, sum(b, c))));
        assertThat(bytes(sum(a, b))).as("L2").isEqualTo(bytes(sum(b, a)));
        assertThat(bytes(sum(a, Batch.empty(SCHEMA)))).as("L3").isEqualTo(bytes(a));
        BatchBuilder negated = new BatchBuilder(SCHEMA);
        for (var row = a.cursor(); row.valid(); row.next()) {
            negated.addRow(row, row.hash(), -row.weight());
        }
        assertThat(sum(a, negated.build()).isEmpty()).as("L4").isTrue();
    }

    private static Batch sum(Batch one, Batch two) {
        return BatchMerge.merge(SCHEMA, List.of(one, two));
    }

    private static byte[] bytes(Batch batch) {
        return BatchFormat.encode(batch);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void integrationAndDifferentiationAreInverse(long seed) {
        same(seed, (a, b) -> a, (a, b) -> a.integrate().differentiate());
        same(seed, (a, b) -> a, (a, b) -> a.differentiate().integrate());
        // L5 above; L6: I(s) = s + z^-1(I(s)).
        same(seed, (a, b) -> a.integrate(), (a, b) -> a.plus(a.integrate().delay()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aDelayDoesNotSeeItsStepAndCommutesWithLinearOperators(long seed) {
        Samples samples = new Samples(seed);
        List<Batch> left = changes(samples, STEPS);
        List<Batch> right = changes(samples, STEPS);
        List<ModelSet> delayed = outputs((a, b) -> a.delay(), 3, left, right);
        assertThat(delayed.get(0)).as("L7").isEqualTo(new ModelSet());
        for (int step = 1; step < STEPS; step++) {
            assertThat(delayed.get(step))
                    .isEqualTo(ModelSet.read(SCHEMA, left.get(step - 1).cursor()));
        }
        Function<Stream, Stream> query = QUERIES.get("filter");
        same(seed, (a, b) -> query.apply(a).delay(), (a, b) -> query.apply(a.delay()));
        same(seed, (a, b) -> a.plus(b.negate()).delay(), (a, b) -> a.delay().minus(b.delay()));
        same(seed, (a, b) -> a.delay().integrate(), (a, b) -> a.integrate().delay());
    }

    /** L7 for all: what comes later changes no earlier output. L8: a pause in front delays the outputs by itself. */
    @ParameterizedTest
    @MethodSource("seeds")
    void operatorsAreCausalAndInvariantInTime(long seed) {
        QUERIES.forEach((name, query) -> {
            Samples samples = new Samples(seed);
            List<Batch> left = changes(samples, STEPS);
            List<Batch> nothing =
                    left.stream().map(batch -> Batch.empty(SCHEMA)).toList();
            List<ModelSet> all = outputs((a, b) -> query.apply(a), 2, left, nothing);
            int cut = samples.random().nextInt(STEPS);
            List<Batch> prefix = left.subList(0, cut);
            assertThat(outputs((a, b) -> query.apply(a), 2, prefix, nothing.subList(0, cut)))
                    .as("%s seed %d", name, seed)
                    .isEqualTo(all.subList(0, cut));
            List<Batch> later = new ArrayList<>(left);
            later.add(0, Batch.empty(SCHEMA));
            List<Batch> longer = new ArrayList<>(nothing);
            longer.add(Batch.empty(SCHEMA));
            assertThat(outputs((a, b) -> query.apply(a), 2, later, longer).subList(1, STEPS + 1))
                    .as("%s seed %d", name, seed)
                    .isEqualTo(all);
        });
    }

    /** L9 and L10: a chain and a sum of increments are the increments of the chain and the sum. */
    @ParameterizedTest
    @MethodSource("seeds")
    void incrementsOfChainsAreChainsOfIncrements(long seed) {
        QUERIES.forEach((first, one) -> QUERIES.forEach((second, two) -> {
            if ((first + second).hashCode() % 4 == Math.floorMod(seed, 4)) {
                Samples samples = new Samples(seed);
                List<Batch> left = changes(samples, STEPS);
                List<Batch> nothing =
                        left.stream().map(batch -> Batch.empty(SCHEMA)).toList();
                List<ModelSet> chain = outputs((a, b) -> two.apply(one.apply(a)), 3, left, nothing);
                // The output of the first query, step by step, is fed to the second alone.
                List<Batch> between = new ArrayList<>();
                outputs((a, b) -> one.apply(a), 2, left, nothing).forEach(set -> between.add(batch(set)));
                assertThat(outputs((a, b) -> two.apply(a), 1, between, nothing))
                        .as("%s then %s, seed %d", first, second, seed)
                        .isEqualTo(chain);
            }
        }));
    }

    static Batch batch(ModelSet set) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        set.weights().forEach((row, weight) -> ModelSet.add(builder, row, weight));
        return builder.build();
    }

    /** L15: what a join gives is a sum in each of its arguments. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aJoinIsBilinear(long seed) {
        BiFunction<Stream, Stream, Stream> join =
                (a, b) -> a.join(b, JoinKind.INNER, List.of(0), List.of(0)).project(List.of(1, 3));
        same(seed, (a, b) -> join.apply(a.plus(b), b), (a, b) -> join.apply(a, b)
                .plus(join.apply(b, b)));
        same(seed, (a, b) -> join.apply(a, b.negate()), (a, b) -> join.apply(a, b)
                .negate());
    }

    /** L17 and L18. */
    @ParameterizedTest
    @MethodSource("seeds")
    void distinctIsIdempotentAndMakesSetOperations(long seed) {
        same(seed, (a, b) -> a.distinct(), (a, b) -> a.distinct().distinct());
        Function<Stream, Stream> filter = QUERIES.get("filter");
        same(seed, (a, b) -> filter.apply(a).distinct(), (a, b) -> filter.apply(a.distinct()));
        same(seed, (a, b) -> a.distinct().except(b.distinct()), (a, b) -> a.distinct()
                .minus(b.distinct())
                .distinct());
        same(seed, (a, b) -> a.distinct().intersect(b.distinct()), (a, b) -> a.distinct()
                .minus(a.distinct().except(b.distinct())));
    }

    /** L27: one step with the sum of several steps' changes gives the sum of their outputs. */
    @ParameterizedTest
    @MethodSource("seeds")
    void stepsCanBeBatched(long seed) {
        QUERIES.forEach((name, query) -> {
            Samples samples = new Samples(seed);
            List<Batch> left = changes(samples, STEPS);
            List<Batch> nothing =
                    left.stream().map(batch -> Batch.empty(SCHEMA)).toList();
            ModelSet sum = new ModelSet();
            outputs((a, b) -> query.apply(a), 3, left, nothing).forEach(sum::add);
            List<ModelSet> once = outputs(
                    (a, b) -> query.apply(a), 2, List.of(BatchMerge.merge(SCHEMA, left)), nothing.subList(0, 1));
            assertThat(once).as("%s seed %d", name, seed).isEqualTo(List.of(sum));
        });
    }
}
