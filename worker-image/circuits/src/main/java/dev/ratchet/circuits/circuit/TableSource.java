/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the rows of a table enter a worker thread. */
public final class TableSource extends Operator {

    /** Slices of one batch, whose sum is the share of the worker thread. */
    private final List<Batch> slices = new ArrayList<>();

    private @Nullable UnconsolidatedRows rows;

    private TableSource(RowSchema schema) {
        super(schema, List.of());
    }

    /** The node of a table; its rows are in any worker threads. */
    public static Node of(String table, RowSchema schema) {
        return new Node("table", table, List.of(), schema, (context, inputs) -> new TableSource(schema));
    }

    void offer(Batch offered) {
        slices.add(offered);
    }

    void offer(UnconsolidatedRows offered) {
        rows = offered;
    }

    @Override
    protected boolean wanted() {
        return !slices.isEmpty() || rows != null;
    }

    @Override
    protected void evaluate() {
        if (!slices.isEmpty()) {
            emit(BatchMerge.merge(schema(), slices));
        } else if (rows != null) {
            emit(rows);
        }
    }

    @Override
    protected void clear() {
        super.clear();
        forget();
    }

    /** Drops what was offered. */
    void forget() {
        slices.clear();
        rows = null;
    }
}
