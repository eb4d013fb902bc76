/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.Storage;
import java.util.stream.IntStream;

/**
 * Decides where one block ends and the next begins: after {@value #ROWS_MAX} rows or where {@value #BYTES_MAX} bytes
 * are passed, counted from the start of the block. It depends on the rows alone, so that equal batches are cut alike.
 */
final class BlockCut {

    static final int ROWS_MAX = 4096;
    static final int BYTES_MAX = 1 << 17;

    private final int[] bytesColumns;
    private final int fixedBytes;
    private int count;
    private int bytes;

    BlockCut(Storage[] storages) {
        int fixed = 16;
        for (Storage storage : storages) {
            fixed += storage == Storage.LONG ? 8 : storage == Storage.WIDE ? 16 : 2;
        }
        this.fixedBytes = fixed;
        this.bytesColumns = IntStream.range(0, storages.length)
                .filter(column -> storages[column] == Storage.BYTES)
                .toArray();
    }

    /** Counts a committed row into the block; true where it is the last of it. */
    boolean isLast(RowVectors rows, int row) {
        int length = 0;
        for (int column : bytesColumns) {
            length += rows.lengths[column][row];
        }
        return isLast(length);
    }

    /** Counts committed rows until one is the last of the block; the number of the next one. */
    int end(RowVectors rows, int from, int to) {
        int row = from;
        while (row < to && !isLast(rows, row)) {
            row++;
        }
        return Math.min(to, row + 1);
    }

    /** As {@link #isLast(RowVectors, int)} for a row of another block. */
    boolean isLast(Block block, int row) {
        int length = 0;
        for (int column : bytesColumns) {
            length += block.lengthAt(column + Block.FIRST, row);
        }
        return isLast(length);
    }

    private boolean isLast(int length) {
        count++;
        bytes += fixedBytes + length;
        if (count < ROWS_MAX && bytes < BYTES_MAX) {
            return false;
        }
        count = 0;
        bytes = 0;
        return true;
    }
}
