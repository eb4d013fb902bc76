/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is let go behind watermarks changes no result, and what stays does not grow with the length of the stream. */
class WatermarkTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final List<ColumnType> EVENT = List.of(BIGINT, BIGINT, BIGINT);
    private static final long DELAY = 10;

    /** By how much one of the tables is always behind the other. */
    private static final long BEHIND = 30;

    private static final int STEPS = 600;
    private static final int ROWS = 8;

    static LongStream seeds() {
        return Samples.seeds(3);
    }

    private static Circuit circuit(BinaryOperator<Stream> program, boolean late, boolean appendOnly) {
        TableOptions options =
                new TableOptions(List.of(), late ? new Plan.Lateness(0, DELAY) : null, appendOnly, false, false);
        CircuitBuilder builder = new CircuitBuilder();
        Stream left = builder.table("left", EVENT, options);
        Stream right = builder.table("right", EVENT, options);
        builder.view("v", program.apply(left, right));
        return new Circuit(builder.build(), CircuitOptions.inMemory(2));
    }

    private static long stateRows(Circuit circuit) {
        return circuit.metrics().stream().mapToLong(OperatorMetrics::stateRows).sum();
    }

    private static void check(long seed, BinaryOperator<Stream> program) {
        check(seed, program, false);
    }

    private static void check(long seed, BinaryOperator<Stream> program, boolean appendOnly) {
        Samples samples = new Samples(seed);
        String behind = seed % 2 == 0 ? "left" : "right";
        try (Circuit collected = circuit(program, true, appendOnly);
                Circuit whole = circuit(program, false, appendOnly)) {
            List<List<Long>> added = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < ROWS; i++) {
                    String table = samples.random().nextBoolean() ? "left" : "right";
                    // No later than the step before it and the delay allow, and often just so late.
                    long late = samples.random().nextInt((int) DELAY + 3);
                    long time = Math.max(0, step * 2L - late - (table.equals(behind) ? BEHIND : 0));
                    List<Long> row = List.of(time, (long) samples.random().nextInt(3), (long)
                            samples.random().nextInt(5));
                    add(collected.input(table), row, 1);
                    add(whole.input(table), row, 1);
                    if (table.equals("left")) {
                        added.add(row);
                    }
                }
                long least = 2L * (step - 1) - DELAY - (behind.equals("left") ? BEHIND : 0);
                if (!appendOnly
                        && samples.random().nextBoolean()
                        && !added.isEmpty()
                        && added.getLast().get(0) >= least) {
                    List<Long> row = added.removeLast();
                    add(collected.input("left"), row, -1);
                    add(whole.input("left"), row, -1);
                }
                collected.step();
                whole.step();
                var schema = whole.plan().views().get("v").schema();
                assertThat(ModelSet.read(schema, collected.output("v").cursor()))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(ModelSet.read(schema, whole.output("v").cursor()));
            }
            assertThat(collected.input("left").lateRows()
                            + collected.input("right").lateRows())
                    .isZero();
            assertThat(stateRows(collected))
                    .as("of %d rows in all", stateRows(whole))
                    .isLessThan(stateRows(whole) / 2);
        }
    }

    private static void add(TableInput input, List<Long> row, long weight) {
        for (int column = 0; column < row.size(); column++) {
            input.setLong(column, row.get(column));
        }
        input.add(weight);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void groupsOfClosedWindowsAreLetGo(long seed) {
        check(seed, (left, right) -> left.plus(right)
                .hop(0, 5, 10, 0)
                .aggregate(
                        List.of(3, 1),
                        List.of(
                                AggregateCall.countRows(BIGINT),
                                AggregateCall.of(AggregateKind.MAX, 2, BIGINT.orNull()),
                                AggregateCall.of(AggregateKind.COUNT, 2, BIGINT).ofDistinct())));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sessionsThatAreOverAreLetGo(long seed) {
        List<AggregateCall> calls =
                List.of(AggregateCall.countRows(BIGINT), AggregateCall.of(AggregateKind.MAX, 2, BIGINT.orNull()));
        // Some times are left out, so that sessions end.
        check(
                seed,
                (left, right) -> left.plus(right)
                        .filter(row -> row.longAt(0) % 9 < 4)
                        .sessions(List.of(1), 0, 2)
                        .aggregate(List.of(1, 3, 4), calls),
                true);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsByTimeForgetWhatCanHaveNoPartnerAnyMore(long seed) {
        check(seed, (left, right) -> left.join(right, JoinKind.LEFT, List.of(0, 1), List.of(0, 1)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void distinctRowsAndFirstRowsOfOldTimesAreLetGo(long seed) {
        check(
                seed,
                (left, right) -> left.distinct().except(right).topK(List.of(0), List.of(SortColumn.descending(2)), 2));
    }
}
