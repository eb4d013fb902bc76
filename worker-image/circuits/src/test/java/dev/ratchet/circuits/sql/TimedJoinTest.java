/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A condition that compares the times of both sides says how long a join needs its rows; what it lets go changes no
 * result.
 */
class TimedJoinTest {

    private static final long DELAY = 10;

    /** By how much one of the tables is always behind the other. */
    private static final long BEHIND = 25;

    private static final int STEPS = 250;
    private static final int ROWS = 6;

    private static final List<String> CONDITIONS = List.of(
            "b.t BETWEEN a.t AND a.ends",
            "a.t - 7 <= b.t AND b.t < a.t + 5",
            "a.t + 3 > b.t AND b.t + 6 >= a.t",
            "b.t - a.t BETWEEN 0 AND 4 AND a.t <= b.t AND a.ends >= b.t",
            "b.t >= a.t - 2 AND b.t <= 4 + a.t");

    static Stream<Arguments> conditions() {
        return CONDITIONS.stream().flatMap(text -> Samples.seeds(2).mapToObj(seed -> Arguments.of(text, seed)));
    }

    private static Circuit circuit(String join, String lateness, boolean appendOnly) {
        String table = " (t BIGINT NOT NULL" + lateness + ", k INT, ends BIGINT)"
                + (appendOnly ? " WITH ('append_only' = 'true')" : "") + ";\n";
        return new Circuit(
                SqlProgram.compile("CREATE TABLE a" + table + "CREATE TABLE b" + table
                                + "CREATE VIEW v AS SELECT a.k, a.t, a.ends, b.t AS bt, b.ends AS bends FROM a "
                                + join)
                        .plan(),
                CircuitOptions.inMemory(2));
    }

    private static long stateRows(Circuit circuit) {
        return circuit.metrics().stream().mapToLong(OperatorMetrics::stateRows).sum();
    }

    private static void add(String table, List<Long> row, long weight, Circuit... circuits) {
        for (Circuit circuit : circuits) {
            TableInput input = circuit.input(table);
            for (int column = 0; column < row.size(); column++) {
                input.setLong(column, row.get(column));
            }
            input.add(weight);
        }
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void rowsThatCanHaveNoPartnerAnyMoreAreLetGo(String condition, long seed) {
        check("JOIN b ON a.k = b.k AND " + condition, seed, false, true);
        check("JOIN b ON a.k = b.k AND " + condition, seed, true, true);
        check("LEFT JOIN b ON a.k = b.k AND " + condition, seed, false, false);
    }

    private static void check(String join, long seed, boolean appendOnly, boolean isCollected) {
        Samples samples = new Samples(seed);
        String behind = seed % 2 == 0 ? "a" : "b";
        try (Circuit collected = circuit(join, " LATENESS " + DELAY, appendOnly);
                Circuit whole = circuit(join, "", appendOnly)) {
            List<List<Long>> there = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < ROWS; i++) {
                    String table = samples.random().nextBoolean() ? "a" : "b";
                    // No later than the step before it and the delay allow, and often just so late.
                    long late = samples.random().nextInt((int) DELAY + 3);
                    long time = Math.max(0, step * 2L - late - (table.equals(behind) ? BEHIND : 0));
                    List<Long> row = List.of(
                            time,
                            (long) samples.random().nextInt(4),
                            time + samples.random().nextInt(20));
                    add(table, row, 1, collected, whole);
                    if (table.equals("a")) {
                        there.add(row);
                    }
                }
                long least = 2L * (step - 1) - DELAY - (behind.equals("a") ? BEHIND : 0);
                there.removeIf(row -> row.get(0) < least);
                if (!appendOnly && !there.isEmpty()) {
                    add("a", there.remove(samples.random().nextInt(there.size())), -1, collected, whole);
                }
                collected.step();
                whole.step();
                RowSchema schema = whole.plan().views().get("v").schema();
                assertThat(ModelSet.read(schema, collected.output("v").cursor()))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(ModelSet.read(schema, whole.output("v").cursor()));
            }
            assertThat(collected.input("a").lateRows() + collected.input("b").lateRows())
                    .isZero();
            assertThat(!isCollected || stateRows(collected) < stateRows(whole) / 2)
                    .as("%d of %d rows", stateRows(collected), stateRows(whole))
                    .isTrue();
        }
    }
}
