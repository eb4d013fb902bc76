/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;

/** Where the rows of a table enter a lane. */
public final class TableSource extends Operator {

    private Batch offered;

    private TableSource(RowSchema schema) {
        super(schema, List.of());
        this.offered = output();
    }

    /** The node of a table; rows are in the lanes that own their keys. */
    public static Node of(String table, RowSchema schema) {
        return new Node("table", table, List.of(), schema, (context, inputs) -> new TableSource(schema));
    }

    void offer(Batch batch) {
        offered = batch;
    }

    @Override
    protected boolean wanted() {
        return !offered.isEmpty();
    }

    @Override
    protected void evaluate() {
        emit(offered);
    }

    @Override
    protected void clear() {
        super.clear();
        offered = output();
    }
}
