/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.Storage;
import java.util.Arrays;

/**
 * Sorts long runs of rows whose hashes begin alike by (hash, columns). Most rows of such a run have one key; their
 * first value columns, as far as these are numbers, are packed into one number for each row by what they differ in, and
 * numbers are sorted. Rows that are alike in those are compared column by column, as are all where nothing can be
 * packed. One thread at a time.
 */
final class RunSort {

    private static final int PACKED_BITS = 63;

    private final RowVectors rows;
    private final int[] order;
    private final RowSort others;
    private long[] packed = new long[0];
    private int[] numbers = new int[0];

    /**
     * Sorts parts of some row numbers.
     *
     * @param others sorts parts of the same numbers in the same order
     */
    RunSort(RowVectors rows, int[] order, RowSort others) {
        this.rows = rows;
        this.order = order;
        this.others = others;
    }

    void sort(int from, int to) {
        long hash = rows.hashes[order[(from + to) >>> 1]];
        int less = from;
        int more = to;
        for (int at = from; at < more; ) {
            int side = Long.compareUnsigned(rows.hashes[order[at]], hash);
            if (side == 0) {
                at++;
            } else if (side < 0) {
                swap(less++, at++);
            } else {
                swap(--more, at);
            }
        }
        others.sortUnlessSorted(from, less);
        others.sortUnlessSorted(more, to);
        if (!isOfOneKey(less, more) || !isPacked(less, more)) {
            others.sortUnlessSorted(less, more);
        }
    }

    private void swap(int left, int right) {
        int row = order[left];
        order[left] = order[right];
        order[right] = row;
    }

    private boolean isOfOneKey(int from, int to) {
        for (int at = from + 1; at < to; at++) {
            if (!rows.sameColumns(rows.schema.keyCount(), order[from], rows, order[at])) {
                return false;
            }
        }
        return true;
    }

    /** Sorts rows of one key by numbers that say what they differ in; false where there are none. */
    private boolean isPacked(int from, int to) {
        int count = to - from;
        int placeBits = bitsOf(count - 1);
        int free = PACKED_BITS - placeBits;
        if (numbers.length < count) {
            numbers = new int[count];
            packed = new long[count];
        }
        System.arraycopy(order, from, numbers, 0, count);
        Arrays.fill(packed, 0, count, 0);
        int column = rows.schema.keyCount();
        while (column < rows.storages.length && free >= 0) {
            free = pack(column, count, free);
            column += free < 0 ? 0 : 1;
        }
        if (column == rows.schema.keyCount()) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            packed[i] = packed[i] << placeBits | i;
        }
        Arrays.sort(packed, 0, count);
        int mask = (1 << placeBits) - 1;
        for (int i = 0; i < count; i++) {
            order[from + i] = numbers[(int) packed[i] & mask];
        }
        if (column < rows.storages.length) {
            sortAlike(from, count, placeBits);
        }
        return true;
    }

    /** Appends a column to the numbers and returns how many bits are free then; below 0 where it has no place there. */
    private int pack(int column, int count, int free) {
        if (rows.storages[column] != Storage.LONG) {
            return -1;
        }
        boolean[] nulls = rows.nulls[column];
        long[] values = rows.lows[column];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        boolean anyNull = false;
        for (int i = 0; i < count; i++) {
            long value = values[numbers[i]];
            least = Math.min(least, value);
            most = Math.max(most, value);
            anyNull |= nulls[numbers[i]];
        }
        // A span that is larger than a number is negative, and has all bits.
        int bits = bitsOf(most - least);
        if (anyNull || bits > free) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            packed[i] = packed[i] << bits | values[numbers[i]] - least;
        }
        return free - bits;
    }

    private static int bitsOf(long number) {
        return Long.SIZE - Long.numberOfLeadingZeros(number);
    }

    private void sortAlike(int from, int count, int placeBits) {
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || packed[i] >>> placeBits != packed[start] >>> placeBits) {
                others.sortUnlessSorted(from + start, from + i);
                start = i;
            }
        }
    }
}
