/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static dev.ratchet.circuits.operator.AggregateKind.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.circuit.StepFailedException;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Models;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operator against its slow twin over whole sets: laws L9 to L21 and L26 as far as outputs can show them. */
class StreamTest {

    private static final ColumnType NUMBER = ColumnType.of(TypeKind.TINYINT).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();
    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE).orNull();
    private static final List<ColumnType> PAIR = List.of(NUMBER, TEXT);

    static LongStream seeds() {
        return Samples.seeds(12);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void linearOperatorsAreTheirOwnIncrement(long seed) {
        new Twin(seed, List.of(PAIR, PAIR))
                .anyWeights()
                .check(
                        tables -> tables.get(0)
                                .filter(row -> row.isNull(0) || row.longAt(0) > 0)
                                .plus(tables.get(1).negate())
                                .project(List.of(1, 0, 1))
                                .flatMap(List.of(TEXT, NUMBER), (row, out) -> {
                                    for (int copy = 0; copy < 2; copy++) {
                                        out.copy(0, TEXT.storage(), row, copy * 2);
                                        out.copy(1, NUMBER.storage(), row, 1);
                                        out.emit();
                                    }
                                }),
                        sets -> {
                            ModelSet result = new ModelSet();
                            sets.get(0).weights().forEach((row, weight) -> {
                                if (row.get(0) == null || (Long) row.get(0) > 0) {
                                    result.add(Models.listOf(row.get(1), row.get(0)), 2 * weight);
                                }
                            });
                            sets.get(1)
                                    .weights()
                                    .forEach((row, weight) ->
                                            result.add(Models.listOf(row.get(1), row.get(0)), -2 * weight));
                            return result;
                        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void setOperationsFollowTheirWeights(long seed) {
        check(seed, Stream::distinct, (a, b) -> a > 0 ? 1 : 0);
        check(seed, Stream::except, (a, b) -> a > 0 && b <= 0 ? 1 : 0);
        check(seed, Stream::exceptAll, (a, b) -> Math.max(0, Math.max(0, a) - Math.max(0, b)));
        check(seed, Stream::intersect, (a, b) -> a > 0 && b > 0 ? 1 : 0);
        check(seed, Stream::intersectAll, (a, b) -> Math.max(0, Math.min(a, b)));
    }

    private static void check(long seed, java.util.function.UnaryOperator<Stream> unary, LongBinaryOperator law) {
        check(seed, (one, two) -> unary.apply(one), law);
    }

    private static void check(long seed, BinaryOperator<Stream> program, LongBinaryOperator law) {
        new Twin(seed, List.of(List.of(NUMBER), List.of(NUMBER)))
                .anyWeights()
                .check(
                        tables -> program.apply(tables.get(0), tables.get(1)),
                        sets -> Models.weigh(sets.get(0), sets.get(1), law));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsPairRowsWithEqualKeys(long seed) {
        for (JoinKind kind : JoinKind.values()) {
            new Twin(seed, List.of(PAIR, PAIR))
                    .check(
                            tables -> tables.get(0).join(tables.get(1), kind, List.of(0), List.of(0)),
                            sets -> Models.join(kind, sets, 0, 0, 2, (left, right) -> true));
        }
    }

    @Test
    void columnsMayBeNullOnTheSideThatAnOuterJoinFills() {
        CircuitBuilder builder = new CircuitBuilder();
        Stream left = builder.table("left", List.of(BIGINT.withNullable(false)));
        Stream right = builder.table("right", List.of(BIGINT.withNullable(false)));
        for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL)) {
            boolean fillsLeft = kind == JoinKind.RIGHT || kind == JoinKind.FULL;
            boolean fillsRight = kind == JoinKind.LEFT || kind == JoinKind.FULL;
            assertThat(left.join(right, kind, List.of(0), List.of(0)).columns())
                    .as(kind.toString())
                    .containsExactly(BIGINT.withNullable(fillsLeft), BIGINT.withNullable(fillsRight));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsHeedAFurtherCondition(long seed) {
        for (JoinKind kind : JoinKind.values()) {
            new Twin(seed, List.of(PAIR, PAIR))
                    .check(
                            tables -> tables.get(0)
                                    .join(
                                            tables.get(1),
                                            kind,
                                            List.of(0),
                                            List.of(0),
                                            row -> !row.isNull(1)
                                                    && !row.isNull(3)
                                                    && row.stringAt(1).length()
                                                            <= row.stringAt(3).length()),
                            sets -> Models.join(
                                    kind,
                                    sets,
                                    0,
                                    0,
                                    2,
                                    (left, right) -> left.get(1) != null
                                            && right.get(1) != null
                                            && ((String) left.get(1)).length() <= ((String) right.get(1)).length()));
        }
    }

    /** Compares columns 1 and 3 of a pair, and says which way. */
    private record Compared(boolean isLess, boolean isTotal) implements RowFilter {

        @Override
        public boolean test(RowView row) {
            boolean present = !row.isNull(1) && !row.isNull(3);
            return present && (isLess ? row.longAt(1) < row.longAt(3) : row.longAt(1) >= row.longAt(3));
        }

        @Override
        public List<AtMost> atMost() {
            return List.of(isLess ? new AtMost(1, 3) : new AtMost(3, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsThatCompareNumbersReadNoFurther(long seed) {
        List<ColumnType> numbers = List.of(BIGINT, BIGINT.orNull());
        for (boolean isLess : List.of(true, false)) {
            for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.FULL, JoinKind.ANTI)) {
                new Twin(seed, List.of(numbers, numbers))
                        .appendOnly(seed % 2 == 0)
                        .check(
                                tables -> tables.get(0)
                                        .join(
                                                tables.get(1),
                                                kind,
                                                List.of(0),
                                                List.of(0),
                                                new Compared(isLess, seed % 3 == 0)),
                                sets -> Models.join(kind, sets, 0, 0, 2, (left, right) -> isPair(isLess, left, right)));
            }
        }
    }

    /** Where a condition runs makes no difference to who finds the state. */
    @Test
    void aPipeRunInTheJoinBeforeItKeepsItsId() {
        assertThat(fingerprint(new Compared(true, true))).isEqualTo(fingerprint(new Compared(true, false)));
    }

    private static String fingerprint(Compared condition) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream left = builder.table("left", List.of(BIGINT, BIGINT));
        Stream right = builder.table("right", List.of(BIGINT, BIGINT));
        Stream pairs = left.join(right, JoinKind.INNER, List.of(0), List.of(0), condition);
        builder.view("firsts", pairs.project(List.of(1, 3)).topK(List.of(0), List.of(SortColumn.ascending(1)), 1));
        return builder.build().fingerprint();
    }

    private static boolean isPair(boolean isLess, List<Object> left, List<Object> right) {
        return left.get(1) != null && right.get(1) != null && (Long) left.get(1) < (Long) right.get(1) == isLess;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aJoinWithItselfSeesEachPairOnce(long seed) {
        new Twin(seed, List.of(PAIR))
                .anyWeights()
                .check(
                        tables -> tables.get(0).join(tables.get(0), JoinKind.INNER, List.of(0), List.of(0)),
                        sets -> Models.join(
                                JoinKind.INNER, List.of(sets.get(0), sets.get(0)), 0, 0, 2, (left, right) -> true));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRowMeetsEveryRowWithoutKeys(long seed) {
        new Twin(seed, List.of(List.of(NUMBER), List.of(TEXT)))
                .check(
                        tables -> tables.get(0)
                                .join(tables.get(1), JoinKind.INNER, List.of(), List.of(), row -> !row.isNull(1)),
                        sets -> {
                            ModelSet result = new ModelSet();
                            sets.get(0).weights().forEach((left, weight) -> sets.get(1)
                                    .weights()
                                    .forEach((right, other) -> {
                                        if (right.get(0) != null) {
                                            result.add(Models.listOf(left.get(0), right.get(0)), weight * other);
                                        }
                                    }));
                            return result;
                        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aggregatesFollowTheirGroups(long seed) {
        List<AggregateCall> calls = new ArrayList<>();
        calls.add(AggregateCall.countRows(BIGINT));
        for (AggregateKind kind : List.of(COUNT, SUM, AVG, MIN, MAX)) {
            calls.add(AggregateCall.of(kind, 1, BIGINT));
            calls.add(AggregateCall.of(kind, 1, BIGINT).ofDistinct());
            calls.add(AggregateCall.of(kind, 1, BIGINT).where(3));
        }
        calls.add(AggregateCall.of(MIN, 2, TEXT));
        calls.add(AggregateCall.of(MAX, 2, TEXT));
        calls.add(AggregateCall.of(ARRAY_AGG, 2, ColumnType.array(TEXT).orNull()));
        calls.add(AggregateCall.of(EVERY, 3, ColumnType.of(TypeKind.BOOLEAN).orNull()));
        calls.add(AggregateCall.of(SOME, 3, ColumnType.of(TypeKind.BOOLEAN).orNull()));
        calls.add(AggregateCall.of(SUM, 4, DOUBLE));
        calls.add(AggregateCall.of(VAR_POP, 1, DOUBLE));
        calls.add(AggregateCall.of(STDDEV_SAMP, 1, DOUBLE));
        checkAggregates(seed, calls);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aggregatesOfBitsPairsAndOrdersFollowTheirGroups(long seed) {
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateKind kind : List.of(BIT_AND, BIT_OR, BIT_XOR, MODE)) {
            calls.add(AggregateCall.of(kind, 1, BIGINT));
            calls.add(AggregateCall.of(kind, 1, BIGINT).ofDistinct().where(3));
        }
        for (AggregateKind kind : AggregateKind.values()) {
            if (kind.isOfPairs()) {
                calls.add(AggregateCall.ofPairs(kind, 1, 0, kind == REGR_COUNT ? BIGINT : DOUBLE));
            }
        }
        calls.add(AggregateCall.ofPairs(CORR, 0, 1, DOUBLE).where(3));
        int none = AggregateCall.NO_COLUMN;
        for (SortColumn sort : List.of(SortColumn.ascending(2), SortColumn.descending(1))) {
            calls.add(new AggregateCall(FIRST, 1, none, false, none, List.of(sort), "", BIGINT));
            calls.add(new AggregateCall(FIRST, 0, none, false, 3, List.of(sort), "", BIGINT));
        }
        for (String share : List.of("0", "0.25", "0.5", "0.9", "1")) {
            calls.add(new AggregateCall(PERCENTILE_CONT, 1, none, false, none, List.of(), share, DOUBLE));
            calls.add(new AggregateCall(PERCENTILE_DISC, 1, none, false, 3, List.of(), share, BIGINT));
        }
        checkAggregates(seed, calls);
    }

    private static void checkAggregates(long seed, List<AggregateCall> calls) {
        List<ColumnType> table =
                List.of(NUMBER, NUMBER, TEXT, ColumnType.of(TypeKind.BOOLEAN).orNull(), DOUBLE);
        for (List<Integer> group : List.of(List.of(0), List.<Integer>of(), List.of(3, 0))) {
            new Twin(seed, List.of(table))
                    .appendOnly(seed % 3 == 2)
                    .check(
                            tables -> tables.get(0).aggregate(group, calls),
                            sets -> Models.aggregate(sets.get(0), group, calls));
        }
    }

    /** Both sides change in one step: in between the join meets a pair that is never there, and the condition fails. */
    @Test
    void aConditionThatFailsOnPairsThatDoNotStayFailsNothing() {
        ColumnType number = ColumnType.of(TypeKind.BIGINT);
        CircuitBuilder builder = new CircuitBuilder();
        Stream left = builder.table("left", List.of(number, number));
        Stream right = builder.table("right", List.of(number, number));
        builder.view("v", left.join(right, JoinKind.LEFT, List.of(0), List.of(0), row -> 10 / row.longAt(3) > 1));
        try (Circuit circuit =
                new Circuit(builder.build(), CircuitOptions.inMemory(2).withOnError(OnError.STOP))) {
            add(circuit.input("right"), 1, 0, 1);
            circuit.step();
            add(circuit.input("left"), 1, 7, 1);
            add(circuit.input("right"), 1, 0, -1);
            add(circuit.input("right"), 1, 2, 1);
            circuit.step();
            assertThat(circuit.output("v").rowCount()).isEqualTo(1);
            add(circuit.input("right"), 1, 0, 1);
            assertThatThrownBy(circuit::step).isInstanceOf(StepFailedException.class);
        }
    }

    @Test
    void aFilterThatFailsOnARowTakenBackInTheSameStepFailsNothing() {
        ColumnType number = ColumnType.of(TypeKind.BIGINT);
        for (int workerThreads : List.of(1, 3)) {
            CircuitBuilder builder = new CircuitBuilder();
            Stream table = builder.table("t", List.of(number, number));
            builder.view("v", table.filter(row -> row.longAt(0) / row.longAt(1) > 1));
            try (Circuit circuit = new Circuit(
                    builder.build(), CircuitOptions.inMemory(workerThreads).withOnError(OnError.STOP))) {
                add(circuit.input("t"), 1, 0, 1);
                for (long key = 0; key < 10; key++) {
                    add(circuit.input("t"), key, 1, 1);
                }
                add(circuit.input("t"), 1, 0, -1);
                circuit.step();
                assertThat(circuit.output("v").rowCount()).isEqualTo(8);
                add(circuit.input("t"), 1, 0, 1);
                assertThatThrownBy(circuit::step).isInstanceOf(StepFailedException.class);
            }
        }
    }

    private static void add(TableInput input, long key, long value, long weight) {
        input.setLong(0, key);
        input.setLong(1, value);
        input.add(weight);
    }
}
