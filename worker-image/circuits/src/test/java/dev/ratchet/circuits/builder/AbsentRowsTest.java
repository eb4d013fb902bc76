/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.RankKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.operator.WindowCall.WindowKind;
import dev.ratchet.circuits.operator.WindowFrame;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A row that was taken back more often than it came is not there, for every operator that looks at rows in an order: it
 * gives what it gives over the rows that are there.
 */
class AbsentRowsTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();
    private static final ColumnType NUMBER = ColumnType.of(TypeKind.TINYINT).orNull();
    private static final ColumnType FLAG = ColumnType.of(TypeKind.BOOLEAN);
    private static final List<ColumnType> TABLE = List.of(NUMBER, NUMBER, FLAG);
    private static final List<SortColumn> ORDER = List.of(SortColumn.ascending(1));

    static LongStream seeds() {
        return Samples.seeds(6);
    }

    private static void check(long seed, BinaryOperator<Stream> operator) {
        new Twin(seed, List.of(TABLE, TABLE))
                .anyWeights()
                .size(10, 8)
                .check(
                        tables -> operator.apply(tables.get(0), tables.get(1))
                                .minus(operator.apply(present(tables.get(0)), present(tables.get(1)))),
                        sets -> new ModelSet());
    }

    /** The rows that are there, as often as they are. */
    private static Stream present(Stream rows) {
        return rows.exceptAll(rows.filter(row -> false));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsThatAreNotThereHaveNoNumber(long seed) {
        for (RankKind kind : RankKind.values()) {
            check(seed, (rows, others) -> rows.topK(List.of(2), ORDER, new TopK.Spec(kind, 1, 2, true), BIGINT));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsThatAreNotThereAreInNoFrame(long seed) {
        WindowFrame frame = new WindowFrame(seed % 2 == 0, -2, 1);
        List<WindowCall> calls = List.of(
                WindowCall.shift(WindowKind.LAG, 0, 1, AggregateCall.NO_COLUMN, NUMBER),
                WindowCall.over(AggregateCall.of(AggregateKind.SUM, 0, BIGINT), frame));
        check(seed, (rows, others) -> rows.window(List.of(2), ORDER, calls));
        List<WindowCall> ranks = List.of(WindowCall.rank(WindowKind.RANK, BIGINT));
        check(seed, (rows, others) -> rows.window(List.of(2), ORDER, ranks));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsThatAreNotThereAreNoPartners(long seed) {
        JoinKind kind = seed % 2 == 0 ? JoinKind.INNER : JoinKind.LEFT;
        check(seed, (rows, others) -> rows.asOf(others, kind, List.of(2), List.of(2), 1, 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsThatAreNotThereAreInNoSession(long seed) {
        check(seed, (rows, others) -> rows.sessions(List.of(2), 1, 20));
    }
}
