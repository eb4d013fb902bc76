/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/** Copies batches into rows under construction, block after block and in these column after column. */
final class BatchCopy {

    private BatchCopy() {}

    /** Copies the rows of a batch of the same schema and commits them. */
    static void into(RowVectors rows, Batch batch) {
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
            BlockGather.append(rows, picked, numbers, weights, count);
        }
    }
}
