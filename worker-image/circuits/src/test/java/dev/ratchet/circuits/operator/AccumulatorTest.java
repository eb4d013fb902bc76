/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is added to many groups at once is what is added to each of them row by row. */
class AccumulatorTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();
    private static final ColumnType DECIMAL = ColumnType.decimal(30, 2);

    /** The group; a number, a text, a flag, a double and a wide decimal, all of which may be NULL. */
    private static final RowSchema ROWS = new RowSchema(
            List.of(BIGINT),
            List.of(
                    BIGINT.orNull(),
                    TEXT,
                    ColumnType.of(TypeKind.BOOLEAN).orNull(),
                    ColumnType.of(TypeKind.DOUBLE).orNull(),
                    DECIMAL.orNull()));

    private static final List<AggregateCall> CALLS = List.of(
            AggregateCall.countRows(BIGINT),
            AggregateCall.countRows(BIGINT).where(3),
            AggregateCall.of(AggregateKind.COUNT, 2, BIGINT),
            AggregateCall.of(AggregateKind.SUM, 1, BIGINT.orNull()).where(3),
            AggregateCall.of(AggregateKind.AVG, 1, BIGINT.orNull()),
            AggregateCall.of(AggregateKind.SUM, 5, ColumnType.decimal(38, 2).orNull()),
            AggregateCall.of(
                    AggregateKind.SUM, 4, ColumnType.of(TypeKind.DOUBLE).orNull()),
            AggregateCall.of(
                    AggregateKind.SOME, 3, ColumnType.of(TypeKind.BOOLEAN).orNull()),
            AggregateCall.of(
                    AggregateKind.EVERY, 3, ColumnType.of(TypeKind.BOOLEAN).orNull()),
            AggregateCall.of(AggregateKind.MIN, 1, BIGINT.orNull()),
            AggregateCall.of(AggregateKind.MAX, 1, BIGINT.orNull()).where(3),
            AggregateCall.of(AggregateKind.MAX, 2, TEXT),
            AggregateCall.of(AggregateKind.MIN, 5, DECIMAL.orNull()),
            AggregateCall.of(AggregateKind.BIT_XOR, 1, BIGINT.orNull()),
            AggregateCall.of(
                    AggregateKind.STDDEV_POP, 1, ColumnType.of(TypeKind.DOUBLE).orNull()));

    static LongStream seeds() {
        return Samples.seeds(4);
    }

    private final BatchBuilder builder = new BatchBuilder(ROWS);

    @ParameterizedTest
    @MethodSource("seeds")
    void manyGroupsAtOnceGetWhatEachOfThemGetsRowByRow(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (AggregateCall call : CALLS) {
            // Extremes are of rows that only come, and of fewer rows than none there is no deviation.
            boolean onlyComes = List.of(AggregateKind.MIN, AggregateKind.MAX, AggregateKind.STDDEV_POP)
                    .contains(call.kind());
            Accumulator accumulator = Accumulator.of(call, ROWS.columns());
            RowSchema states = new RowSchema(List.of(BIGINT), accumulator.columns());
            RowTable together = new RowTable(states);
            RowTable apart = new RowTable(states);
            RowBuffer initial = new RowBuffer(states.columnCount());
            accumulator.clear();
            accumulator.store(initial, 1);
            for (int step = 0; step < 5; step++) {
                UnconsolidatedRows rows = rows(random, !onlyComes);
                int[] groups = new int[rows.rowCount()];
                together.enterAll(rows, initial, groups);
                apart.enterAll(rows, initial, new int[rows.rowCount()]);
                GroupedRows grouped = GroupedRows.of(rows, groups);
                accumulator.addAll(grouped, together, 1);
                for (int i = 0; i < groups.length; i++) {
                    accumulator.clear();
                    accumulator.merge(apart.row(groups[i]), 1);
                    accumulator.add(grouped.row(grouped.rows[i]), grouped.weights[grouped.rows[i]]);
                    accumulator.store(apart.writeOver(groups[i]), 1);
                    apart.written();
                }
            }
            for (int group = 0; group < apart.size(); group++) {
                RowBuffer result = new RowBuffer(2);
                accumulator.result(together.row(group), 1, result, 0);
                accumulator.clear();
                accumulator.merge(apart.row(group), 1);
                accumulator.result(result, 1);
                assertThat(read(call, result, 0)).as("%s", call).isEqualTo(read(call, result, 1));
                boolean isZero = accumulator.isZero();
                assertThat(accumulator.isZero(together.row(group), 1)).isEqualTo(isZero);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void averagesAreQuotientsRoundedOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ColumnType wanted = ColumnType.of(TypeKind.DOUBLE).orNull();
        Accumulator average = Accumulator.of(AggregateCall.of(AggregateKind.AVG, 1, wanted), ROWS.columns());
        RowBuffer state = new RowBuffer(2);
        RowBuffer result = new RowBuffer(1);
        for (int i = 0; i < 2_000; i++) {
            long sum = random.nextLong() >> random.nextInt(Long.SIZE);
            long count = 1 + (random.nextLong() >>> (2 + random.nextInt(Long.SIZE - 2)));
            state.setLong(0, count);
            state.setWide(1, sum >> 63, sum);
            average.result(state, 0, result, 0);
            BigDecimal exact = BigDecimal.valueOf(sum).divide(BigDecimal.valueOf(count), new MathContext(60));
            assertThat(result.doubleAt(0)).as("%d / %d", sum, count).isEqualTo(exact.doubleValue());
        }
    }

    private static @Nullable Object read(AggregateCall call, RowBuffer row, int column) {
        return row.isNull(column) ? null : ObjectValues.read(call.result(), row, column);
    }

    private UnconsolidatedRows rows(SplittableRandom random, boolean someGo) {
        List<Runnable> setters = new ArrayList<>();
        setters.add(() -> builder.setLong(1, random.nextInt(-50, 50)));
        setters.add(() -> builder.setString(2, "text ".substring(random.nextInt(5)) + random.nextInt(100)));
        setters.add(() -> builder.setLong(3, random.nextInt(2)));
        setters.add(() -> builder.setDouble(4, random.nextInt(1000) / 8.0));
        setters.add(() -> builder.setWide(5, random.nextInt(-2, 2), random.nextLong()));
        for (int row = random.nextInt(200); row >= 0; row--) {
            builder.setLong(0, random.nextInt(20));
            for (int column = 1; column <= setters.size(); column++) {
                if (random.nextInt(5) == 0) {
                    builder.setNull(column);
                } else {
                    setters.get(column - 1).run();
                }
            }
            builder.add(someGo && random.nextInt(3) == 0 ? -1 : 1 + random.nextInt(2));
        }
        return builder.unconsolidated();
    }
}
