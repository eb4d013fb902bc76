/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private static Circuit circuit(int workerThreads, TableOptions options) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream table = builder.table("t", List.of(BIGINT, BIGINT), options);
        builder.view("v", table);
        builder.view("n", table.aggregate(List.of(), List.of(AggregateCall.countRows(BIGINT))));
        return new Circuit(
                builder.build(), CircuitOptions.inMemory(workerThreads).withSmallStepRows(0));
    }

    private static void add(Circuit circuit, long key, long value, long weight) {
        TableInput input = circuit.input("t");
        input.setLong(0, key);
        input.setLong(1, value);
        input.add(weight);
    }

    private static Map<List<Object>, Long> output(Circuit circuit, String view) {
        return ModelSet.read(
                        circuit.plan().views().get(view).schema(),
                        circuit.output(view).cursor())
                .weights();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aStepThatBreaksAPrimaryKeyIsRejectedAsAWhole(int workerThreads) {
        try (Circuit circuit = circuit(workerThreads, new TableOptions(List.of(0), null, false, false, false))) {
            add(circuit, 1, 10, 1);
            circuit.step();
            add(circuit, 2, 20, 1);
            add(circuit, 1, 11, 1);
            assertThatThrownBy(circuit::step)
                    .isInstanceOf(StepRejectedException.class)
                    .hasMessageContaining("2 rows with the primary key [1]");
            assertThat(output(circuit, "v")).isEmpty();
            add(circuit, 1, 12, -1);
            assertThatThrownBy(circuit::step)
                    .isInstanceOf(StepRejectedException.class)
                    .hasMessageContaining("does not have");
            add(circuit, 1, 10, -1);
            add(circuit, 1, 11, 1);
            circuit.step();
            assertThat(output(circuit, "v")).isEqualTo(Map.of(List.of(1L, 10L), -1L, List.of(1L, 11L), 1L));
            circuit.step();
            assertThat(output(circuit, "v")).isEmpty();
        }
    }

    @Test
    void theOneGroupOfAnEmptyKeyIsThereFromTheFirstStep() {
        try (Circuit circuit = circuit(3, TableOptions.NONE)) {
            circuit.step();
            assertThat(output(circuit, "n")).isEqualTo(Map.of(List.of(0L), 1L));
            circuit.step();
            assertThat(output(circuit, "n")).isEmpty();
            add(circuit, 1, 1, 1);
            circuit.step();
            assertThat(output(circuit, "n")).isEqualTo(Map.of(List.of(0L), -1L, List.of(1L), 1L));
        }
    }

    @Test
    void rowsBehindTheWatermarkOfTheStepBeforeAreDropped() {
        try (Circuit circuit = circuit(2, new TableOptions(List.of(), new Plan.Lateness(1, 5), false, false, false))) {
            add(circuit, 1, 100, 1);
            add(circuit, 1, 1, 1);
            circuit.step();
            assertThat(output(circuit, "v")).hasSize(2);
            add(circuit, 2, 94, 1);
            add(circuit, 2, 95, 1);
            circuit.step();
            assertThat(output(circuit, "v")).isEqualTo(Map.of(List.of(2L, 95L), 1L));
            assertThat(circuit.input("t").lateRows()).isEqualTo(1);
        }
    }

    @Test
    void rowsOfAnAppendOnlyTableAreNotTakenBack() {
        try (Circuit circuit = circuit(2, new TableOptions(List.of(), null, true, false, false))) {
            add(circuit, 1, 10, 1);
            assertThatThrownBy(() -> add(circuit, 1, 10, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("weight -1 takes a row of table t back, which is append-only");
            circuit.step();
            assertThat(output(circuit, "v")).isEqualTo(Map.of(List.of(1L, 10L), 1L));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void rowsThatCancelOutLeaveNothingForTheNextStep(int workerThreads) {
        try (Circuit circuit = circuit(workerThreads, TableOptions.NONE)) {
            add(circuit, 1, 10, 1);
            add(circuit, 1, 10, -1);
            circuit.step();
            assertThat(output(circuit, "v")).isEmpty();
            add(circuit, 2, 20, 1);
            circuit.step();
            assertThat(output(circuit, "v")).isEqualTo(Map.of(List.of(2L, 20L), 1L));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void rowsThatCancelOutRaiseTheWatermarkAllTheSame(int workerThreads) {
        try (Circuit circuit =
                circuit(workerThreads, new TableOptions(List.of(), new Plan.Lateness(1, 5), false, false, false))) {
            circuit.step();
            add(circuit, 1, 100, 1);
            add(circuit, 1, 100, -1);
            circuit.step();
            assertThat(circuit.input("t").watermark()).isEqualTo(95);
            add(circuit, 2, 94, 1);
            circuit.step();
            assertThat(output(circuit, "v")).isEmpty();
        }
    }

    @Test
    void aStepThatIsRejectedRaisesNoWatermark() {
        try (Circuit circuit = circuit(2, new TableOptions(List.of(0), new Plan.Lateness(1, 5), false, false, false))) {
            add(circuit, 1, 10, 1);
            circuit.step();
            add(circuit, 1, 100, 1);
            assertThatThrownBy(circuit::step).isInstanceOf(StepRejectedException.class);
            add(circuit, 2, 10, 1);
            circuit.step();
            assertThat(output(circuit, "v")).isEqualTo(Map.of(List.of(2L, 10L), 1L));
            assertThat(circuit.input("t").watermark()).isEqualTo(5);
        }
    }
}
