/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.spending;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.operator.RowFilter;
import java.util.List;

/** The same with one more view. */
public final class BigSpenders extends Spending {

    @Override
    public void build(CircuitBuilder circuit) {
        Stream spent = spent(circuit);
        circuit.view("spent", spent, List.of("name", "orders", "total"));
        circuit.view(
                "big_spenders",
                spent.filter(RowFilter.named("total over 1000", row -> !row.isNull(2) && row.longAt(2) > 1000)),
                List.of("name", "orders", "total"));
    }
}
