/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The rows of a batch in the order of their columns, ascending and NULL first, instead of that of their hashes: what
 * people and files are shown. By a key, those of one key follow each other, and of these what leaves comes first. It
 * copies the batch, which may have up to 2^26 rows and 2^30 bytes per column. One thread at a time.
 */
public final class OrderedRows {

    private OrderedRows() {}

    /** Visits all rows of a batch in order. */
    public static void visit(Batch batch, RowVisitor visitor) {
        visit(batch, List.of(), visitor);
    }

    /**
     * Visits all rows of a batch in the order of a key, of these first those with a negative weight, then by all
     * columns.
     *
     * @param key columns, the first of them first; empty for none
     */
    public static void visit(Batch batch, List<Integer> key, RowVisitor visitor) {
        int[] columns = key.stream().mapToInt(Integer::intValue).toArray();
        RowVectors rows = new RowVectors(batch.schema());
        BatchCopy.into(rows, batch);
        int[] order = IntStream.range(0, rows.count()).toArray();
        RowSort.sort(
                order,
                columns.length == 0 ? rows::compareColumns : (left, right) -> compare(rows, columns, left, right));
        UnconsolidatedCursor row = new UnconsolidatedCursor(rows, order, 0, order.length);
        for (; row.valid(); row.next()) {
            visitor.visit(row, row.weight());
        }
    }

    private static int compare(RowVectors rows, int[] key, int left, int right) {
        for (int column : key) {
            int order = rows.compareColumn(column, left, right);
            if (order != 0) {
                return order;
            }
        }
        int order = Integer.compare(Long.signum(rows.weights[left]), Long.signum(rows.weights[right]));
        return order == 0 ? rows.compareColumns(left, right) : order;
    }
}
