/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.spending;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.CircuitProgram;
import dev.ratchet.circuits.builder.JoinKind;
import dev.ratchet.circuits.builder.NamedColumns;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;

/** What each customer has spent: a view over two tables. */
public class Spending implements CircuitProgram {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType VARCHAR = ColumnType.of(TypeKind.VARCHAR);

    private static final NamedColumns ORDERS =
            NamedColumns.of("id", BIGINT).and("customer", BIGINT).and("amount", BIGINT);
    private static final NamedColumns CUSTOMERS = NamedColumns.of("id", BIGINT).and("name", VARCHAR);

    @Override
    public void build(CircuitBuilder circuit) {
        circuit.view("spent", spent(circuit), List.of("name", "orders", "total"));
    }

    /** By name: the number of orders, and what they cost. */
    protected static Stream spent(CircuitBuilder circuit) {
        Stream paid = circuit.table("orders", ORDERS)
                .filter(RowFilter.named("amount over 0", order -> order.longAt(ORDERS.at("amount")) > 0));
        Stream customers = circuit.table("customers", CUSTOMERS);
        // The columns of orders, then those of customers: id, customer, amount, id, name.
        Stream named =
                paid.join(customers, JoinKind.INNER, List.of(ORDERS.at("customer")), List.of(CUSTOMERS.at("id")));
        return named.aggregate(
                List.of(4),
                List.of(AggregateCall.countRows(BIGINT), AggregateCall.of(AggregateKind.SUM, 2, BIGINT.orNull())));
    }
}
