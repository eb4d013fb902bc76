/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a batch of rows that are in order: weights of equal rows summed, rows of weight 0 left out, and blocks encoded,
 * a bounded amount of rows at a time, so that the caller decides when the work is done. The weights of the rows are not
 * what they were afterwards. One thread at a time.
 */
final class RowSum {

    private final RowVectors rows;
    private final BlockEncoder writer;
    private final BlockCut cut;
    private final List<Block> blocks = new ArrayList<>();

    /** The numbers of the rows in order, of which those before {@link #kept} are one for each sum that is not 0. */
    private final int[] order;

    private int position;
    private int kept;
    private int encoded;

    private RowSum(RowVectors rows, int[] order, BlockEncoder writer) {
        this.rows = rows;
        this.order = order;
        this.writer = writer;
        this.cut = new BlockCut(rows.storages);
    }

    /** A sum of all rows of an order, which is its from then on. */
    RowSum(RowVectors rows, int[] order) {
        this(rows, order, rows.encoder);
    }

    /** The batch of some rows whose hashes are known. */
    static Batch of(RowVectors rows, int from, int to) {
        int[] order = RowSort.order(rows, from, to);
        // Parts of the rows are summed by several threads.
        BlockEncoder writer = to - from == rows.count() ? rows.encoder : new BlockEncoder(rows);
        if (order == null) {
            return ofAscending(rows, from, to, writer);
        }
        RowSum sum = new RowSum(rows, order, writer);
        sum.work(Long.MAX_VALUE);
        return sum.result();
    }

    private static Batch ofAscending(RowVectors rows, int from, int to, BlockEncoder writer) {
        BlockCut cut = new BlockCut(rows.storages);
        List<Block> blocks = new ArrayList<>();
        for (int start = from; start < to; ) {
            int end = cut.end(rows, start, to);
            blocks.add(new Block(writer.encode(null, start, end)));
            start = end;
        }
        return Batch.of(rows.schema, new MemoryBlocks(blocks));
    }

    /**
     * Takes in so many rows, and those that are equal to the last of them.
     *
     * @return whether all are in
     */
    boolean work(long rowsMax) {
        int end = position + (int) Math.min(order.length - position, rowsMax);
        while (position < end) {
            if (isBlockFull(end)) {
                encode();
            }
        }
        return position == order.length;
    }

    /** Sums rows until a block is full or the position is behind the last one wanted; says which. */
    private boolean isBlockFull(int end) {
        long[] weights = rows.weights;
        while (position < end) {
            int row = order[position++];
            long sum = weights[row];
            while (position < order.length && rows.compare(row, order[position]) == 0) {
                sum = Math.addExact(sum, weights[order[position++]]);
            }
            if (sum != 0) {
                weights[row] = sum;
                order[kept++] = row;
                if (cut.isLast(rows, row)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void encode() {
        blocks.add(new Block(writer.encode(order, encoded, kept)));
        encoded = kept;
    }

    /** The batch; called once, after {@link #work} said that all rows are in. */
    Batch result() {
        if (kept > encoded) {
            encode();
        }
        return Batch.of(rows.schema, new MemoryBlocks(blocks));
    }
}
