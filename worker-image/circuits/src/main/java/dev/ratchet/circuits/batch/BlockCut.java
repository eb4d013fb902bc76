/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.Storage;

/**
 * Decides where one block ends and the next begins: after {@value #ROWS_MAX} rows or where {@value #BYTES_MAX} bytes
 * are passed, counted from the start of the block. It depends on the rows alone, so that equal batches are cut alike.
 */
final class BlockCut {

    static final int ROWS_MAX = 4096;
    static final int BYTES_MAX = 1 << 17;

    private final RowVectors rows;
    private final int fixedBytes;
    private int count;
    private int bytes;

    BlockCut(RowVectors rows) {
        this.rows = rows;
        int fixed = 16;
        for (Storage storage : rows.storages) {
            fixed += storage == Storage.LONG ? 8 : storage == Storage.WIDE ? 16 : 2;
        }
        this.fixedBytes = fixed;
    }

    /** Counts a committed row into the block; true where it is the last of it. */
    boolean isLast(int row) {
        count++;
        bytes += fixedBytes;
        for (int column = 0; column < rows.storages.length; column++) {
            if (rows.storages[column] == Storage.BYTES) {
                bytes += rows.lengths[column][row];
            }
        }
        if (count < ROWS_MAX && bytes < BYTES_MAX) {
            return false;
        }
        count = 0;
        bytes = 0;
        return true;
    }
}
