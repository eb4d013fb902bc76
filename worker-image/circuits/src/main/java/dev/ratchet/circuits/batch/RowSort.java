/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import org.jspecify.annotations.Nullable;

/**
 * Sorts row numbers by (hash, columns) or (hash, key), or by any order. Parts are merged, which keeps the worst case at
 * n·log n compares; {@link HashSort} makes the parts small where hashes come first.
 */
final class RowSort {

    private static final int INSERTION_MAX = 12;

    /** An order of rows by their numbers. */
    @FunctionalInterface
    interface Order {
        int compare(int left, int right);
    }

    private final Order rows;
    private final int[] order;
    private int[] scratch = new int[0];

    /** Sorts parts of some row numbers. */
    RowSort(Order rows, int[] order) {
        this.rows = rows;
        this.order = order;
    }

    /** Sorts row numbers by any order; equal ones stay as they are. */
    static void sort(int[] numbers, Order rows) {
        new RowSort(rows, numbers).sort(0, numbers.length);
    }

    /** The numbers of some rows in order, or null where they ascend as they are and no two are equal. */
    @SuppressWarnings("ReturnsNullCollection") // An array as large as the batch is what the null saves.
    static int @Nullable [] order(RowVectors rows, int from, int to) {
        int at = from + 1;
        while (at < to && rows.compare(at - 1, at) < 0) {
            at++;
        }
        return at >= to ? null : sort(rows, from, to, rows::compare);
    }

    /** The numbers of some rows in the order of their keys, or null where they ascend as they are. */
    @SuppressWarnings("ReturnsNullCollection") // As above.
    static int @Nullable [] orderByKey(RowVectors rows, int from, int to) {
        int at = from + 1;
        while (at < to && rows.compareKeys(at - 1, at) <= 0) {
            at++;
        }
        return at >= to ? null : sort(rows, from, to, rows::compareKeys);
    }

    /** The numbers of some rows in the order of their hashes alone. */
    static int[] orderByHash(RowVectors rows, int from, int to) {
        if (to - from == 1) {
            return new int[] {from};
        }
        return sort(rows, from, to, (left, right) -> Long.compareUnsigned(rows.hashes[left], rows.hashes[right]));
    }

    private static int[] sort(RowVectors rows, int from, int to, Order by) {
        HashSort sort = new HashSort(rows, from, to, by, false);
        sort.work(Long.MAX_VALUE);
        return sort.order();
    }

    /** Sorts some of the numbers; many are most often of one key, and in order as they are. */
    void sortUnlessSorted(int from, int to) {
        if (!isSorted(from, to)) {
            sort(from, to);
        }
    }

    boolean isSorted(int from, int to) {
        int at = from + 1;
        while (at < to && rows.compare(order[at - 1], order[at]) <= 0) {
            at++;
        }
        return at >= to;
    }

    private void sort(int from, int to) {
        if (to - from <= INSERTION_MAX) {
            insertionSort(from, to);
            return;
        }
        if (scratch.length == 0) {
            scratch = new int[order.length];
        }
        int middle = (from + to) >>> 1;
        sort(from, middle);
        sort(middle, to);
        if (rows.compare(order[middle - 1], order[middle]) <= 0) {
            return;
        }
        System.arraycopy(order, from, scratch, from, middle - from);
        int left = from;
        int right = middle;
        for (int out = from; left < middle; out++) {
            if (right < to && rows.compare(order[right], scratch[left]) < 0) {
                order[out] = order[right++];
            } else {
                order[out] = scratch[left++];
            }
        }
    }

    private void insertionSort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int row = order[i];
            int at = i;
            for (; at > from && rows.compare(row, order[at - 1]) < 0; at--) {
                order[at] = order[at - 1];
            }
            order[at] = row;
        }
    }
}
