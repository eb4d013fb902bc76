/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.builder.TableOptions;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps beside which rows are added for the next give what steps give that are run one after the other. */
@Timeout(120)
class StepPipelineTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final int STEPS = 60;

    /** A change of the table. */
    private record Row(long key, long time, long weight) {}

    private static Circuit circuit(int workerThreads) {
        CircuitBuilder builder = new CircuitBuilder();
        TableOptions options = new TableOptions(List.of(0), new Plan.Lateness(1, 20), false, false, false);
        Stream table = builder.table("t", List.of(BIGINT, BIGINT), options);
        builder.view("v", table);
        builder.view("n", table.aggregate(List.of(1), List.of(AggregateCall.countRows(BIGINT))));
        return new Circuit(
                builder.build(), CircuitOptions.inMemory(workerThreads).withSmallStepRows(8));
    }

    /** Rows whose times rise, some of them late and some, rarely, with a key that is there already. */
    private static List<List<Row>> steps(Random random) {
        List<List<Row>> steps = new ArrayList<>();
        long key = 0;
        for (long step = 0; step < STEPS; step++) {
            List<Row> rows = new ArrayList<>();
            int count = random.nextInt(3) == 0 ? random.nextInt(8) : random.nextInt(2_000);
            for (int row = 0; row < count; row++) {
                Row one = new Row(++key, 10 * step + random.nextInt(40) - 30, 1);
                rows.add(one);
                if (random.nextInt(4) == 0) {
                    rows.add(new Row(one.key, one.time, -1));
                }
            }
            if (random.nextInt(8) == 0) {
                rows.add(new Row(1 + random.nextLong(key + 1), 10 * step + 40, 1));
            }
            steps.add(rows);
        }
        return steps;
    }

    private static void add(Circuit circuit, List<Row> rows) {
        TableInput input = circuit.input("t");
        for (Row row : rows) {
            input.setLong(0, row.key);
            input.setLong(1, row.time);
            input.add(row.weight);
        }
    }

    private static String outputs(Circuit circuit) {
        StringBuilder shown = new StringBuilder();
        circuit.plan().views().forEach((name, view) -> shown.append(name)
                .append(ModelSet.read(view.schema(), circuit.output(name).cursor())
                        .weights()));
        return shown.toString();
    }

    private static List<String> oneAfterTheOther(List<List<Row>> steps, int workerThreads) {
        List<String> seen = new ArrayList<>();
        try (Circuit circuit = circuit(workerThreads)) {
            for (List<Row> rows : steps) {
                add(circuit, rows);
                try {
                    circuit.step();
                    seen.add(outputs(circuit));
                } catch (StepRejectedException rejected) {
                    seen.add("rejected");
                }
            }
        }
        return seen;
    }

    private static List<String> besideEachOther(List<List<Row>> steps, int workerThreads) {
        List<String> seen = new ArrayList<>();
        try (Circuit circuit = circuit(workerThreads);
                StepPipeline pipeline = new StepPipeline(circuit)) {
            for (List<Row> rows : steps) {
                add(circuit, rows);
                try {
                    pipeline.await();
                } catch (StepRejectedException rejected) {
                    seen.add("rejected");
                    add(circuit, rows);
                }
                pipeline.begin(() -> seen.add(outputs(circuit)));
            }
            try {
                pipeline.await();
            } catch (StepRejectedException rejected) {
                seen.add("rejected");
            }
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void rowsThatAreAddedBesideAStepBelongToTheNext(int workerThreads) {
        int rejected = 0;
        for (long seed = 1; seed <= 10; seed++) {
            List<List<Row>> steps = steps(new Random(seed));
            List<String> expected = oneAfterTheOther(steps, workerThreads);

            assertThat(besideEachOther(steps, workerThreads))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            rejected += (int) expected.stream().filter("rejected"::equals).count();
        }
        assertThat(rejected).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void whatFollowsAStepFailsItsCaller(int rows) {
        try (Circuit circuit = circuit(1);
                StepPipeline pipeline = new StepPipeline(circuit)) {
            for (int row = 0; row < rows; row++) {
                add(circuit, List.of(new Row(row, 0, 1)));
            }
            pipeline.begin(() -> {
                throw new IllegalArgumentException("full");
            });
            assertThatThrownBy(pipeline::await)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("full");
        }
    }

    @Test
    void aStepIsNotBegunBesideAnother() {
        try (Circuit circuit = circuit(1);
                StepPipeline pipeline = new StepPipeline(circuit)) {
            pipeline.begin(() -> {});
            assertThatThrownBy(() -> pipeline.begin(() -> {})).isInstanceOf(IllegalStateException.class);
        }
    }
}
