/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.function.BiConsumer;

/**
 * Shows unconsolidated rows under another schema, without copies of the columns that they share. Owns the arrays of
 * what they do not share and keeps them from use to use. Rows it gives are valid until it gives others, and as long as
 * those they come from. One thread at a time.
 */
public final class Projection {

    private final int[] columns;
    private final RowVectors shown;

    /** @param columns for each column of the schema its number in the rows, or under 0 where it is set */
    public Projection(RowSchema schema, int[] columns) {
        this.columns = columns;
        this.shown = new RowVectors(schema);
    }

    /** Rows that have no columns of their own. */
    public UnconsolidatedRows of(UnconsolidatedRows rows) {
        shown.share(rows.unsummed(), columns);
        return new UnconsolidatedRows(shown, rows.from(), rows.from() + rows.rowCount());
    }

    /**
     * Rows some of whose columns are set row by row.
     *
     * @param setter sets the columns of one row; what it sets of those that are shared is ignored
     */
    public UnconsolidatedRows of(UnconsolidatedRows rows, BiConsumer<RowView, RowWriter> setter) {
        shown.share(rows.unsummed(), columns);
        AddedColumns added = new AddedColumns(shown, columns);
        for (UnconsolidatedCursor row = rows.cursor(); row.valid(); row.next()) {
            shown.writeAt(row.row());
            setter.accept(row, added);
        }
        shown.sumBytes();
        return new UnconsolidatedRows(shown, rows.from(), rows.from() + rows.rowCount());
    }
}
