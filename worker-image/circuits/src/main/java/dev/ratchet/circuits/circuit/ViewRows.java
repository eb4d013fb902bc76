/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.List;

/**
 * The rows of a view behind one step: this process's share. They are the batches of the circuit's own traces, pinned,
 * so that nothing is copied and later steps do not show. Immutable; any thread may read it, and as long as it likes.
 */
public final class ViewRows {

    private final long step;
    private final RowSchema schema;
    private final int[] places;
    private final List<Batch> batches;

    /** @param places for each column of the view, that of the batches */
    ViewRows(long step, RowSchema schema, int[] places, List<Batch> batches) {
        this.step = step;
        this.schema = schema;
        this.places = places;
        this.batches = batches;
    }

    /** The step behind which they are. */
    public long step() {
        return step;
    }

    /** The same rows, which another step has not changed. */
    ViewRows at(long another) {
        return new ViewRows(another, schema, places, batches);
    }

    /** Of the view. */
    public RowSchema schema() {
        return schema;
    }

    /**
     * Walks the rows with their weights, none twice, in the order in which they are kept. It holds a block of each of a
     * few dozen batches in memory, however many rows there are. One thread at a time for each walk.
     */
    public RowWalk cursor() {
        return new Walk(new MergedCursor(batches, null), places);
    }

    /** All rows as one batch, which takes memory for all of them. */
    public Batch batch() {
        BatchBuilder rows = new BatchBuilder(schema);
        for (RowWalk row = cursor(); row.valid(); row.next()) {
            for (int column = 0; column < schema.columnCount(); column++) {
                rows.copy(column, schema.column(column).storage(), row, column);
            }
            rows.add(row.weight());
        }
        return rows.build();
    }

    private static final class Walk extends RowAlias implements RowWalk {
        private final MergedCursor rows;
        private final int[] places;

        Walk(MergedCursor rows, int[] places) {
            this.rows = rows;
            this.places = places;
        }

        @Override
        public RowView rowOf(int column) {
            return rows;
        }

        @Override
        public int columnOf(int column) {
            return places[column];
        }

        @Override
        public boolean valid() {
            return rows.valid();
        }

        @Override
        public void next() {
            rows.next();
        }

        @Override
        public long hash() {
            return rows.hash();
        }

        @Override
        public long weight() {
            return rows.weight();
        }
    }
}
