/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.ArrayList;
import java.util.List;

/** Makes batches of rows: sorted, weights of equal rows summed, rows of weight 0 left out. */
final class RowSum {

    private RowSum() {}

    /** The batch of some rows whose hashes are known; their weights are not what they were afterwards. */
    static Batch of(RowVectors rows, int from, int to) {
        int[] order = RowSort.order(rows, from, to);
        int end = order == null ? to - from : consolidate(rows, order);
        // Parts of the rows are summed by several threads.
        BlockEncoder writer = to - from == rows.count() ? rows.encoder : new BlockEncoder(rows);
        BlockCut cut = new BlockCut(rows.storages);
        List<Block> blocks = new ArrayList<>();
        int start = 0;
        for (int position = 0; position < end; position++) {
            if (cut.isLast(rows, order == null ? from + position : order[position]) || position == end - 1) {
                int skipped = order == null ? from : 0;
                blocks.add(new Block(writer.encode(order, skipped + start, skipped + position + 1)));
                start = position + 1;
            }
        }
        return Batch.of(rows.schema, new MemoryBlocks(blocks));
    }

    private static int consolidate(RowVectors rows, int[] order) {
        long[] weights = rows.weights;
        int kept = 0;
        for (int position = 0; position < order.length; ) {
            int row = order[position++];
            long sum = weights[row];
            while (position < order.length && rows.compare(row, order[position]) == 0) {
                sum = Math.addExact(sum, weights[order[position++]]);
            }
            if (sum != 0) {
                weights[row] = sum;
                order[kept++] = row;
            }
        }
        return kept;
    }
}
