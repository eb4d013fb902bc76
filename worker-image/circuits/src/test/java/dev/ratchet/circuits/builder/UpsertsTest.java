/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.StepPipeline;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A table that takes upserts is a map: what a view shows of it after each step is what the map then holds. */
class UpsertsTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();
    private static final TableOptions UPSERTS = new TableOptions(List.of(1), null, false, false, true);
    private static final int STEPS = 20;

    private static Plan plan() {
        CircuitBuilder builder = new CircuitBuilder();
        Stream table = builder.table("t", List.of(TEXT, BIGINT, BIGINT), UPSERTS);
        builder.view("rows", table);
        builder.view(
                "sum", table.aggregate(List.of(), List.of(AggregateCall.of(AggregateKind.SUM, 2, BIGINT.orNull()))));
        return builder.build();
    }

    @Test
    void theLastRowOfAKeyIsThere() {
        Samples.seeds(20).forEach(seed -> {
            for (int threads = 1; threads <= 3; threads++) {
                CircuitOptions options = CircuitOptions.inMemory(threads).withSmallStepRows(0);
                try (Circuit circuit = new Circuit(plan(), options);
                        StepPipeline pipeline = new StepPipeline(circuit)) {
                    run(circuit, pipeline, new SplittableRandom(seed), "seed " + seed + ", " + threads + " threads");
                }
            }
        });
    }

    private static void run(Circuit circuit, StepPipeline pipeline, SplittableRandom random, String run) {
        Map<Long, List<Object>> table = new HashMap<>();
        Map<List<Object>, Long> shown = new HashMap<>();
        Map<List<Object>, Long> sum = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            for (int change = random.nextInt(12); change > 0; change--) {
                changeOne(circuit.input("t"), table, random);
            }
            pipeline.await();
            pipeline.begin(() -> {
                collect(circuit, "rows", shown);
                collect(circuit, "sum", sum);
            });
            pipeline.await();
            Map<List<Object>, Long> wanted = new HashMap<>();
            table.values().forEach(row -> wanted.put(row, 1L));
            assertThat(shown).as(run + ", step " + step).isEqualTo(wanted);
            long total =
                    table.values().stream().mapToLong(row -> (Long) row.get(2)).sum();
            assertThat(sum.keySet())
                    .as(run + ", step " + step)
                    .containsExactly(table.isEmpty() ? java.util.Collections.singletonList(null) : List.of(total));
        }
    }

    private static void changeOne(TableInput input, Map<Long, List<Object>> table, SplittableRandom random) {
        long key = random.nextInt(8);
        String text = random.nextInt(3) == 0 ? "a" : "b";
        long number = random.nextInt(3);
        boolean isRemoved = random.nextInt(4) == 0;
        input.setString(0, text);
        input.setLong(1, key);
        input.setLong(2, number);
        input.add(isRemoved ? -1 : 1);
        if (isRemoved) {
            table.remove(key);
        } else {
            table.put(key, List.of(text, key, number));
        }
    }

    private static void collect(Circuit circuit, String view, Map<List<Object>, Long> shown) {
        ModelSet.read(
                        circuit.plan().views().get(view).schema(),
                        circuit.output(view).cursor())
                .weights()
                .forEach((row, weight) -> shown.merge(row, weight, Long::sum));
        shown.values().removeIf(weight -> weight == 0);
    }

    @Test
    void whatUpsertsCanNotBeWithIsRefused() {
        assertThatThrownBy(() -> new TableOptions(List.of(), null, false, false, true))
                .hasMessageContaining("PRIMARY KEY; declare one");
        assertThatThrownBy(() -> new TableOptions(List.of(0), null, true, false, true))
                .hasMessageContaining("append-only tables never do");
        assertThatThrownBy(() -> new TableOptions(List.of(0), new Plan.Lateness(1, 5), false, false, true))
                .hasMessageContaining("older than LATENESS allows");
        try (Circuit circuit = new Circuit(plan(), CircuitOptions.inMemory(1))) {
            assertThatThrownBy(() -> circuit.input("t").add(2)).hasMessageContaining("1 sets the row of its key");
        }
    }
}
