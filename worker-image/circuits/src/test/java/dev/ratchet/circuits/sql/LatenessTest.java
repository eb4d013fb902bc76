/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.TableInput;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LATENESS in SQL bounds what a program remembers, also through expressions over the other columns. */
class LatenessTest {

    private static final String QUERY = """
            CREATE VIEW sums AS
              SELECT moment, doubled, COUNT(*) AS n, MAX(price) AS most
              FROM (SELECT moment, item * 2 AS doubled, price FROM bids) AS b
              GROUP BY moment, doubled;
            """;

    private static long stateRows(String lateness, int steps) {
        String table = "CREATE TABLE bids (moment BIGINT NOT NULL" + lateness + ", item BIGINT, price BIGINT);\n";
        SqlProgram program = SqlProgram.compile(table + QUERY);
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(2))) {
            TableInput input = circuit.input("bids");
            for (int step = 0; step < steps; step++) {
                for (int row = 0; row < 20; row++) {
                    input.setLong(0, step);
                    input.setLong(1, row % 5);
                    input.setLong(2, row);
                    input.add(1);
                }
                circuit.step();
                assertThat(circuit.output("sums").rowCount()).isEqualTo(5);
            }
            return circuit.metrics().stream()
                    .mapToLong(OperatorMetrics::stateRows)
                    .sum();
        }
    }

    @Test
    void whatIsRememberedDoesNotGrowWithTheLengthOfTheStream() {
        assertThat(stateRows("", 1000)).isGreaterThan(20_000);
        assertThat(stateRows(" LATENESS 5", 1000)).isLessThan(8_000);
    }

    /** What is derived from the late column by functions that rise with it is let go as the column itself would be. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "FLOOR(moment TO HOUR)",
                "CEIL(moment TO DAY)",
                "DATE_TRUNC('minute', moment + INTERVAL '1' DAY)",
                "CAST(moment AS DATE)",
                "UNIX_SECONDS(moment) / 60",
                "window_start",
                "window_end"
            })
    void aWatermarkPassesThroughWhatRisesWithTheTime(String key) {
        assertThat(groupRows("", key)).isGreaterThan(800);
        assertThat(groupRows(" LATENESS INTERVAL '2' HOUR", key)).isLessThan(600);
    }

    private static long groupRows(String lateness, String key) {
        SqlProgram program = SqlProgram.compile("CREATE TABLE bids (moment TIMESTAMP NOT NULL" + lateness
                + ", item BIGINT);"
                + "CREATE VIEW counts AS SELECT " + key + " AS k, item, COUNT(*) AS n"
                + " FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(moment), INTERVAL '1' HOUR)) GROUP BY " + key + ", item");
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            TableInput input = circuit.input("bids");
            for (long step = 0; step < 1000; step++) {
                input.setLong(0, TimeUnit.HOURS.toMicros(step));
                input.setLong(1, step);
                input.add(1);
                circuit.step();
            }
            return circuit.metrics().stream()
                    .mapToLong(OperatorMetrics::stateRows)
                    .sum();
        }
    }
}
