/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;
import java.util.stream.IntStream;

/**
 * The rows of a batch in the order of their columns, ascending and NULL first, instead of that of their hashes: what
 * people and files are shown. It copies the batch, which may have up to 2^26 rows and 2^30 bytes per column. One thread
 * at a time.
 */
public final class OrderedRows {

    /** Takes a row and its weight; the row is valid during the call. */
    public interface Visitor {
        void visit(RowView row, long weight);
    }

    private OrderedRows() {}

    /** Visits all rows of a batch in order. */
    public static void visit(Batch batch, Visitor visitor) {
        RowVectors rows = copyOf(batch);
        int[] order = IntStream.range(0, rows.count()).toArray();
        RowSort.sort(order, rows::compareColumns);
        Shown row = new Shown(rows);
        for (int number : order) {
            row.number = number;
            visitor.visit(row, rows.weights[number]);
        }
    }

    private static RowVectors copyOf(Batch batch) {
        RowVectors rows = new RowVectors(batch.schema());
        Block[] picked = new Block[BlockCut.ROWS_MAX];
        int[] numbers = new int[picked.length];
        long[] weights = new long[picked.length];
        BatchCursor cursor = batch.cursor();
        while (cursor.valid()) {
            int count = 0;
            for (; count < picked.length && cursor.valid(); cursor.next()) {
                picked[count] = cursor.current();
                numbers[count] = cursor.row();
                weights[count++] = cursor.weight();
            }
            rows.appendAll(picked, numbers, weights, count);
        }
        return rows;
    }

    /** One of the rows. */
    private static final class Shown implements RowView {
        private final RowVectors rows;
        private int number;

        Shown(RowVectors rows) {
            this.rows = rows;
        }

        @Override
        public boolean isNull(int column) {
            return rows.nulls[column][number];
        }

        @Override
        public long longAt(int column) {
            return rows.lows[column][number];
        }

        @Override
        public long highAt(int column) {
            return rows.highs[column][number];
        }

        @Override
        public byte[] bytesAt(int column) {
            return rows.pools[column];
        }

        @Override
        public int offsetAt(int column) {
            return rows.starts[column][number];
        }

        @Override
        public int lengthAt(int column) {
            return rows.lengths[column][number];
        }
    }
}
