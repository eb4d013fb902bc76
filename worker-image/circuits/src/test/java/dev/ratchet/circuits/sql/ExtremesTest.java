/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.TableInput;
import org.junit.jupiter.api.Test;

/** MIN and MAX over rows that are taken back seek in the rows of their group only where it may make a difference. */
class ExtremesTest {

    private static final SqlProgram PROGRAM = SqlProgram.compile("""
            CREATE TABLE bids (auction BIGINT NOT NULL, price BIGINT NOT NULL);
            CREATE VIEW most AS SELECT auction, MIN(price) AS least, MAX(price) AS most FROM bids GROUP BY auction;
            """);

    private static void bid(Circuit circuit, long price, long weight) {
        TableInput bids = circuit.input("bids");
        bids.setLong(0, 1);
        bids.setLong(1, price);
        bids.add(weight);
    }

    /** Seeks of the aggregate in a step. */
    private static long seeks(Circuit circuit) {
        long before = allSeeks(circuit);
        circuit.step();
        return allSeeks(circuit) - before;
    }

    private static long allSeeks(Circuit circuit) {
        return circuit.metrics().stream()
                .filter(operator -> operator.kind().equals("aggregate"))
                .mapToLong(OperatorMetrics::seeks)
                .sum();
    }

    @Test
    void rowsBetweenTheExtremesGoUnread() {
        try (Circuit circuit = new Circuit(PROGRAM.plan(), CircuitOptions.inMemory(1))) {
            for (int price = 0; price < 1_000; price++) {
                bid(circuit, price, price == 999 ? 2 : 1);
            }
            circuit.step();
            bid(circuit, 500, -1);
            bid(circuit, 998, -1);
            bid(circuit, 700, 1);
            assertThat(seeks(circuit)).isZero();
            assertThat(circuit.output("most").isEmpty()).isTrue();

            // One of two equal rows: whether it was the last is for the rows to say.
            bid(circuit, 999, -1);
            assertThat(seeks(circuit)).isPositive();
            assertThat(circuit.output("most").isEmpty()).isTrue();

            bid(circuit, 999, -1);
            circuit.step();
            assertThat(circuit.output("most").rowCount()).isEqualTo(2);
        }
    }
}
