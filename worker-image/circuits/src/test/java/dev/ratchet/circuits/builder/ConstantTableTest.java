/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.sample.Models;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose rows come in the first step: joins with them say what others say, and remember nothing else. */
class ConstantTableTest {

    private static final ColumnType NUMBER = ColumnType.of(TypeKind.TINYINT).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final List<ColumnType> PAIR = List.of(NUMBER, NUMBER);
    private static final TableOptions CONSTANT = new TableOptions(List.of(), null, false, true, false);

    static LongStream seeds() {
        return Samples.seeds(12);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsWithAConstantTablePairRowsAsOthersDo(long seed) {
        for (JoinKind kind : JoinKind.values()) {
            for (int constant = 0; constant < 2; constant++) {
                new Twin(seed, List.of(PAIR, PAIR))
                        .constant(constant)
                        .check(
                                tables -> tables.get(0).join(tables.get(1), kind, List.of(0), List.of(0)),
                                sets -> Models.join(kind, sets, 0, 0, 2, (left, right) -> true));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void soDoJoinsThatCompareNumbers(long seed) {
        for (int constant = 0; constant < 2; constant++) {
            new Twin(seed, List.of(PAIR, PAIR))
                    .constant(constant)
                    .check(
                            tables -> tables.get(0)
                                    .join(
                                            tables.get(1).plus(tables.get(1)).distinct(),
                                            JoinKind.INNER,
                                            List.of(0),
                                            List.of(0),
                                            new LeftAtMostRight()),
                            sets -> Models.join(
                                    JoinKind.INNER,
                                    List.of(
                                            sets.get(0),
                                            Models.weigh(sets.get(1), sets.get(1), (a, b) -> a > 0 ? 1 : 0)),
                                    0,
                                    0,
                                    2,
                                    (left, right) -> left.get(1) != null
                                            && right.get(1) != null
                                            && (Long) left.get(1) <= (Long) right.get(1)));
        }
    }

    private record LeftAtMostRight() implements RowFilter {

        @Override
        public boolean test(RowView row) {
            return !row.isNull(1) && !row.isNull(3) && row.longAt(1) <= row.longAt(3);
        }

        @Override
        public List<AtMost> atMost() {
            return List.of(new AtMost(1, 3));
        }
    }

    private static Circuit circuit(int workerThreads, TableOptions side) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream bids = builder.table("bids", List.of(BIGINT));
        Stream labels = builder.table("labels", List.of(BIGINT), side);
        builder.view("v", bids.join(labels, JoinKind.INNER, List.of(0), List.of(0)));
        builder.view("w", bids.join(labels, JoinKind.SEMI, List.of(0), List.of(0)));
        return new Circuit(
                builder.build(), CircuitOptions.inMemory(workerThreads).withSmallStepRows(0));
    }

    private static void add(Circuit circuit, String table, long value) {
        TableInput input = circuit.input(table);
        input.setLong(0, value);
        input.add(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatIsJoinedWithAConstantTableIsNotRemembered(int workerThreads) {
        try (Circuit circuit = circuit(workerThreads, CONSTANT)) {
            for (int label = 0; label < 10; label++) {
                add(circuit, "labels", label);
            }
            circuit.step();
            long rows = stateRows(circuit);
            for (int bid = 0; bid < 10_000; bid++) {
                add(circuit, "bids", bid % 20);
                if (bid % 100 == 99) {
                    circuit.step();
                    assertThat(circuit.output("v").cursor().weight()).isEqualTo(5);
                    assertThat(circuit.output("w").rowCount()).isEqualTo(10);
                }
            }
            assertThat(stateRows(circuit)).isEqualTo(rows);
        }
    }

    private static long stateRows(Circuit circuit) {
        return circuit.metrics().stream().mapToLong(OperatorMetrics::stateRows).sum();
    }

    @Test
    void rowsOfAConstantTableBehindTheFirstStepAreRefused() {
        try (Circuit circuit = circuit(2, CONSTANT)) {
            circuit.step();
            assertThatThrownBy(() -> add(circuit, "labels", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a row of table labels after the first step, which is constant");
            add(circuit, "bids", 1);
            circuit.step();
            assertThat(circuit.output("v").isEmpty()).isTrue();
        }
    }

    @Test
    void aFirstStepThatIsRejectedWasNone() {
        try (Circuit circuit = circuit(2, new TableOptions(List.of(0), null, false, true, false))) {
            add(circuit, "labels", 1);
            add(circuit, "labels", 1);
            assertThatThrownBy(circuit::step).isInstanceOf(StepRejectedException.class);
            add(circuit, "labels", 1);
            add(circuit, "bids", 1);
            circuit.step();
            assertThat(circuit.output("v").rowCount()).isEqualTo(1);
            assertThatThrownBy(() -> add(circuit, "labels", 2)).hasMessageContaining("after the first step");
        }
    }

    @Test
    void aCircuitThatWasOpenedAgainIsBehindItsFirstStep() {
        try (Circuit first = circuit(1, CONSTANT)) {
            first.step();
            CircuitOptions own = CircuitOptions.inMemory(1);
            CircuitOptions again = new CircuitOptions(
                    1,
                    own.state(),
                    first.attributes(),
                    own.smallStepRows(),
                    own.threads(),
                    own.nanos(),
                    own.onError(),
                    own.peers(),
                    own.keepsViews(),
                    own.shards());
            try (Circuit circuit = new Circuit(first.plan(), again)) {
                assertThatThrownBy(() -> add(circuit, "labels", 1)).hasMessageContaining("after the first step");
            }
        }
    }
}
