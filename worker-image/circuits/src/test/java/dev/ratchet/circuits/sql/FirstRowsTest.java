/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.TableInput;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first rows of a group give only what changes among them. */
class FirstRowsTest {

    private static final int ROWS = 20;

    private static void add(Circuit circuit, long value, long weight) {
        TableInput input = circuit.input("t");
        input.setLong(0, value);
        input.add(weight);
    }

    /** Rows that the operator gives in a step. */
    private static long given(Circuit circuit) {
        long before = allGiven(circuit);
        circuit.step();
        return allGiven(circuit) - before;
    }

    private static long allGiven(Circuit circuit) {
        return circuit.metrics().stream()
                .filter(operator -> operator.kind().equals("top-k"))
                .mapToLong(OperatorMetrics::rows)
                .sum();
    }

    @ParameterizedTest
    @CsvSource({"ROW_NUMBER", "RANK", "DENSE_RANK"})
    void rowsWhoseNumberStaysAreNotGivenAgain(String kind) {
        SqlProgram program = SqlProgram.compile("CREATE TABLE t (x BIGINT NOT NULL);\n"
                + "CREATE VIEW v AS SELECT * FROM (SELECT x, " + kind
                + "() OVER (ORDER BY x) AS place FROM t) WHERE place <= 10;");
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            for (int value = 0; value < ROWS; value++) {
                add(circuit, value, 1);
            }
            assertThat(given(circuit)).isEqualTo(10);
            // Behind the first ten.
            add(circuit, 15, -1);
            add(circuit, 16, 1);
            assertThat(given(circuit)).isZero();
            // The ninth goes: the tenth and the one behind it move up.
            add(circuit, 8, -1);
            assertThat(given(circuit)).isEqualTo(4);
            // One goes and one comes at once: only that number changes.
            add(circuit, -1, 1);
            add(circuit, 0, -1);
            assertThat(given(circuit)).isEqualTo(2);
        }
    }
}
