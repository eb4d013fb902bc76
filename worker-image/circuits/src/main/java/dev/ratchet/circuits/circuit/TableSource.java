/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.LooseRows;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the rows of a table enter a worker thread. */
public final class TableSource extends Operator {

    private @Nullable Batch batch;
    private @Nullable LooseRows rows;

    private TableSource(RowSchema schema) {
        super(schema, List.of());
    }

    /** The node of a table; its rows are in any worker threads. */
    public static Node of(String table, RowSchema schema) {
        return new Node("table", table, List.of(), schema, (context, inputs) -> new TableSource(schema));
    }

    void offer(Batch offered) {
        batch = offered;
    }

    void offer(LooseRows offered) {
        rows = offered;
    }

    @Override
    protected boolean wanted() {
        return batch != null || rows != null;
    }

    @Override
    protected void evaluate() {
        if (batch != null) {
            emit(batch);
        } else if (rows != null) {
            emit(rows);
        }
    }

    @Override
    protected void clear() {
        super.clear();
        batch = null;
        rows = null;
    }
}
