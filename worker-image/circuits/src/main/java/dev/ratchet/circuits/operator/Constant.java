/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.List;

/** Rows that are there from the first step on. */
public final class Constant extends Operator {

    private final Batch rows;
    private boolean due;

    private Constant(Batch rows, WorkerThreadContext context) {
        super(rows.schema(), List.of());
        this.rows = rows.slice(context.range());
    }

    /**
     * Gives rows in the first step.
     *
     * @param description tells the rows from others
     */
    public static Node of(Batch rows, String description) {
        return new Node(
                        "constant",
                        description,
                        List.of(),
                        rows.schema(),
                        (context, inputs) -> new Constant(rows, context))
                .shownAs(() -> text(rows));
    }

    private static String text(Batch rows) {
        List<ColumnType> columns = rows.schema().columns();
        List<String> shown = new ArrayList<>();
        for (BatchCursor row = rows.cursor(); row.valid(); row.next()) {
            List<String> values = new ArrayList<>();
            for (int column = 0; column < columns.size(); column++) {
                values.add(ShownSql.constant(columns.get(column), ObjectValues.read(columns.get(column), row, column)));
            }
            String times = row.weight() == 1 ? "" : " times " + row.weight();
            shown.add("(" + String.join(", ", values) + ")" + times);
        }
        return shown.isEmpty() ? "no rows" : "VALUES " + ShownSql.items(shown);
    }

    @Override
    protected void start() {
        due = true;
    }

    @Override
    protected boolean wanted() {
        return due && !rows.isEmpty();
    }

    @Override
    protected void evaluate() {
        emit(rows);
        due = false;
    }
}
