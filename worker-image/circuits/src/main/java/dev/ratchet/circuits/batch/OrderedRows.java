/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.stream.IntStream;

/**
 * The rows of a batch in the order of their columns, ascending and NULL first, instead of that of their hashes: what
 * people and files are shown. It copies the batch, which may have up to 2^26 rows and 2^30 bytes per column. One thread
 * at a time.
 */
public final class OrderedRows {

    private OrderedRows() {}

    /** Visits all rows of a batch in order. */
    public static void visit(Batch batch, RowVisitor visitor) {
        RowVectors rows = new RowVectors(batch.schema());
        BatchCopy.into(rows, batch);
        int[] order = IntStream.range(0, rows.count()).toArray();
        RowSort.sort(order, rows::compareColumns);
        UnconsolidatedCursor row = new UnconsolidatedCursor(rows, order, 0, order.length);
        for (; row.valid(); row.next()) {
            visitor.visit(row, row.weight());
        }
    }
}
