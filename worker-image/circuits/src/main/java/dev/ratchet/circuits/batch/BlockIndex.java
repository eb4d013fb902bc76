/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.Arrays;

/**
 * Where the blocks of a batch begin, in rows and in hashes: what is always in memory. Grows while the batch is written
 * and is immutable afterwards; it holds up to 2^31 − 1 blocks.
 */
final class BlockIndex {

    private static final int INITIAL = 1;

    private int count;
    private long[] firstHashes = new long[INITIAL];
    private long[] rowStarts = new long[INITIAL + 1];
    private long[] byteStarts = new long[INITIAL + 1];

    void add(Block block) {
        add(block.hash(0), block.rows, block.size());
    }

    void add(long firstHash, int rows, int bytes) {
        if (count == firstHashes.length) {
            firstHashes = Arrays.copyOf(firstHashes, count * 2);
            rowStarts = Arrays.copyOf(rowStarts, count * 2 + 1);
            byteStarts = Arrays.copyOf(byteStarts, count * 2 + 1);
        }
        firstHashes[count] = firstHash;
        rowStarts[count + 1] = rowStarts[count] + rows;
        byteStarts[count + 1] = byteStarts[count] + bytes;
        count++;
    }

    int count() {
        return count;
    }

    long rows() {
        return rowStarts[count];
    }

    long bytes() {
        return byteStarts[count];
    }

    long firstHash(int block) {
        return firstHashes[block];
    }

    /** The number of the first row of a block, counted over the batch; for block {@link #count} the number of rows. */
    long rowStart(int block) {
        return rowStarts[block];
    }

    int rows(int block) {
        return (int) (rowStarts[block + 1] - rowStarts[block]);
    }

    int bytes(int block) {
        return (int) (byteStarts[block + 1] - byteStarts[block]);
    }

    /** The block that holds a row of the batch. */
    int blockOfRow(long row) {
        int found = Arrays.binarySearch(rowStarts, 0, count, row);
        return found >= 0 ? found : -found - 2;
    }

    /**
     * The last block that begins below a hash; -1 if none does. Cheapest where that is the hinted block or one soon
     * behind it.
     *
     * @param hint a block, or -1
     */
    int blockBelow(long hash, int hint) {
        int low = hint;
        if (low < 0 || low >= count || Long.compareUnsigned(firstHashes[low], hash) >= 0) {
            return blockBefore(hash, false);
        }
        int step = 1;
        while (low + step < count && Long.compareUnsigned(firstHashes[low + step], hash) < 0) {
            low += step;
            step <<= 1;
        }
        return before(hash, false, low + 1, Math.min(count, low + step));
    }

    /** The last block that begins below this hash (or, if {@code above}, at or below it); -1 if none does. */
    int blockBefore(long hash, boolean above) {
        return before(hash, above, 0, count);
    }

    /** As {@link #blockBefore}, where those below {@code from} begin before and those from {@code to} on do not. */
    private int before(long hash, boolean above, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(firstHashes[middle], hash);
            if (order < 0 || (above && order == 0)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
