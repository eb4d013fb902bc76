/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Models;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maxima of what is counted, and what they keep: nothing but themselves where counts never sink, else all counts. */
class RisingTest {

    private static final ColumnType NUMBER = ColumnType.of(TypeKind.TINYINT).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();
    private static final List<ColumnType> TABLE =
            List.of(NUMBER, NUMBER, NUMBER, ColumnType.of(TypeKind.BOOLEAN).orNull());
    private static final AggregateCall COUNT = AggregateCall.countRows(BIGINT);
    private static final AggregateCall LARGEST = AggregateCall.of(AggregateKind.MAX, 2, NUMBER);

    /** Columns 0 and 1 are the group, then come what rises, and a sum, which may not. */
    private static final List<AggregateCall> INNER = List.of(
            COUNT,
            LARGEST,
            COUNT.where(3),
            AggregateCall.of(AggregateKind.COUNT, 2, BIGINT).ofDistinct(),
            LARGEST.where(3),
            AggregateCall.of(AggregateKind.SUM, 2, BIGINT));

    static LongStream seeds() {
        return Samples.seeds(12);
    }

    private static List<AggregateCall> maximaOf(int first) {
        return List.of(
                AggregateCall.of(AggregateKind.MAX, first, BIGINT),
                AggregateCall.of(AggregateKind.MAX, first + 1, NUMBER),
                AggregateCall.of(AggregateKind.MAX, first + 2, BIGINT),
                AggregateCall.of(AggregateKind.MAX, first + 3, BIGINT),
                AggregateCall.of(AggregateKind.MAX, first + 4, NUMBER),
                AggregateCall.of(AggregateKind.MAX, first + 5, BIGINT),
                AggregateCall.of(AggregateKind.MIN, first, BIGINT),
                COUNT);
    }

    private static boolean isFew(RowView row) {
        return row.longAt(2) < 3;
    }

    private static ModelSet inner(ModelSet rows) {
        return Models.aggregate(rows, List.of(0, 1), INNER);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void maximaOfAggregatesAreThoseOfTheirRowsWhateverIsPromised(long seed) {
        for (List<Integer> group : List.of(List.of(0), List.<Integer>of(), List.of(1, 0), List.of(0, 2))) {
            new Twin(seed, List.of(TABLE))
                    .appendOnly(seed % 2 == 0)
                    .check(
                            tables -> tables.get(0)
                                    .aggregate(List.of(0, 1), INNER)
                                    .aggregate(group, maximaOf(2)),
                            sets -> Models.aggregate(inner(sets.get(0)), group, maximaOf(2)));
        }
    }

    /** A row that goes is no longer followed by the one that takes its place. */
    @ParameterizedTest
    @MethodSource("seeds")
    void maximaSinkWhereAFilterStandsBetween(long seed) {
        new Twin(seed, List.of(TABLE))
                .appendOnly(seed % 2 == 0)
                .size(12, 4)
                .check(
                        tables -> tables.get(0)
                                .aggregate(List.of(0, 1), INNER)
                                .filter(RisingTest::isFew)
                                .aggregate(List.of(0), maximaOf(2)),
                        sets -> Models.aggregate(
                                inner(sets.get(0)).where(row -> (Long) row.get(2) < 3), List.of(0), maximaOf(2)));
    }

    /** Says that a column of a pair is at most another, neither being NULL. */
    private record Compared(int lesser, int greater) implements RowFilter {

        @Override
        public boolean test(RowView row) {
            return !row.isNull(lesser) && !row.isNull(greater) && row.longAt(lesser) <= row.longAt(greater);
        }

        @Override
        public List<AtMost> atMost() {
            return List.of(new AtMost(lesser, greater));
        }
    }

    /** Group, number of rows and a maximum, beside the largest number of the first column of the group. */
    private static Stream countsWithTheMost(Stream table, JoinKind kind, boolean mostFirst) {
        Stream counts = table.aggregate(List.of(0, 1), List.of(COUNT, LARGEST)).project(List.of(0, 2, 1, 3));
        Stream most = counts.project(List.of(1, 0))
                .aggregate(List.of(1), List.of(AggregateCall.of(AggregateKind.MAX, 0, BIGINT)));
        return mostFirst
                ? most.join(counts, kind, List.of(0), List.of(0), new Compared(1, 3))
                : counts.join(most, kind, List.of(0), List.of(0), new Compared(5, 1));
    }

    private static ModelSet countsWithTheMost(ModelSet rows, JoinKind kind, boolean mostFirst) {
        ModelSet counts = new ModelSet();
        Models.aggregate(rows, List.of(0, 1), List.of(COUNT, LARGEST))
                .weights()
                .forEach((row, weight) ->
                        counts.add(Models.listOf(row.get(0), row.get(2), row.get(1), row.get(3)), weight));
        ModelSet most = Models.aggregate(counts, List.of(0), List.of(AggregateCall.of(AggregateKind.MAX, 1, BIGINT)));
        return mostFirst
                ? Models.join(kind, List.of(most, counts), 0, 0, 4, (left, right) -> isAtMost(left, right))
                : Models.join(kind, List.of(counts, most), 0, 0, 2, (left, right) -> isAtMost(right, left));
    }

    private static boolean isAtMost(List<Object> most, List<Object> count) {
        return (Long) most.get(1) <= (Long) count.get(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void groupsThatHaveTheMostAreFoundWhetherOthersAreRememberedOrNot(long seed) {
        for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.LEFT)) {
            for (boolean mostFirst : List.of(false, true)) {
                new Twin(seed, List.of(TABLE))
                        .appendOnly(seed % 4 != 0)
                        .size(12, 5)
                        .check(
                                tables -> countsWithTheMost(tables.get(0), kind, mostFirst),
                                sets -> countsWithTheMost(sets.get(0), kind, mostFirst));
            }
        }
    }

    /** How many operators of a kind a program has. */
    private static long operators(String kind, boolean appendOnly, UnaryOperator<Stream> program) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream table = builder.table("t", TABLE, new TableOptions(List.of(), null, appendOnly, false, false));
        builder.view("v", program.apply(table));
        try (Circuit circuit = new Circuit(builder.build(), CircuitOptions.inMemory(1))) {
            return circuit.metrics().stream()
                    .map(OperatorMetrics::kind)
                    .filter(kind::equals)
                    .count();
        }
    }

    /** Arrangements for the largest count of each group. */
    private static long arrangements(boolean appendOnly, UnaryOperator<Stream> between) {
        return operators("arrange", appendOnly, table -> between.apply(table.aggregate(List.of(0, 1), List.of(COUNT)))
                .aggregate(List.of(0), List.of(AggregateCall.of(AggregateKind.MAX, 1, BIGINT))));
    }

    @Test
    void whatIsBehindTheMostIsNotRememberedWhereThatNeverSinks() {
        for (boolean mostFirst : List.of(false, true)) {
            assertThat(operators("ahead", true, table -> countsWithTheMost(table, JoinKind.INNER, mostFirst)))
                    .isEqualTo(1);
            assertThat(operators("ahead", false, table -> countsWithTheMost(table, JoinKind.INNER, mostFirst)))
                    .isZero();
        }
    }

    @Test
    void aMaximumOfCountsOfRowsThatOnlyComeKeepsOnlyItself() {
        assertThat(arrangements(true, counts -> counts.project(List.of(1, 2)))).isZero();
        assertThat(arrangements(false, counts -> counts.project(List.of(1, 2)))).isEqualTo(1);
        assertThat(arrangements(true, counts -> counts.filter(RisingTest::isFew).project(List.of(1, 2))))
                .isEqualTo(1);
        assertThat(arrangements(true, counts -> counts.negate().negate().project(List.of(1, 2))))
                .isEqualTo(1);
    }
}
