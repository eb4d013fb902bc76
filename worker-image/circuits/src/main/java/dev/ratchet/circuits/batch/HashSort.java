/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/**
 * Sorts rows by their hashes and what comes behind them, a bounded amount of rows at a time, so that the caller decides
 * when the work is done. Hashes are uniform: one pass counts them by their first bits, one puts each row into its
 * bucket of about one, and what is left inside a bucket (equal keys, collisions) is sorted bucket by bucket. Only rows
 * of one key are sorted at once, however many. Rows and weights must stay as they are meanwhile. One thread at a time.
 */
final class HashSort {

    private static final int BITS_MAX = 24;

    /** From so many rows in a bucket on it is worth to look whether they are of one key. */
    private static final int RUN_MIN = 24;

    private static final int[] NONE = {};

    private final RowVectors rows;
    private final int to;
    private final RowSort.Order by;
    private final boolean weighing;
    private final int shift;

    /** For each bucket its end, one place further until rows are put into it: then its start, which moves. */
    private final int[] ends;

    private int counted;
    private int placed;
    private int bucket;
    private int sorted;
    private int[] order = NONE;
    private RowSort buckets;
    private RunSort runs;

    /**
     * Sorts some rows, whose hashes are known.
     *
     * @param by an order that begins with the unsigned hash; rows that are equal in it may come in any order
     * @param weighing whether rows of weight 0 are left out
     */
    HashSort(RowVectors rows, int from, int to, RowSort.Order by, boolean weighing) {
        this.rows = rows;
        this.to = to;
        this.by = by;
        this.weighing = weighing;
        this.counted = from;
        this.placed = from;
        int bits = Math.min(BITS_MAX, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, to - from - 1)));
        this.shift = Long.SIZE - bits;
        this.ends = new int[(1 << bits) + 1];
        this.buckets = new RowSort(by, order);
        this.runs = new RunSort(rows, order, buckets);
    }

    /**
     * Passes so many rows or buckets.
     *
     * @return how many of them were not needed; over 0 where all is done
     */
    long work(long places) {
        long left = places;
        if (counted < to) {
            left -= count(left);
        }
        if (counted == to && placed < to) {
            left -= place(left);
        }
        while (left > 0 && placed == to && bucket < ends.length - 1) {
            int start = sorted;
            int end = ends[bucket++];
            if (end - start >= RUN_MIN && !buckets.isSorted(start, end)) {
                runs.sort(start, end);
            } else if (end - start > 1) {
                buckets.sortUnlessSorted(start, end);
            }
            sorted = end;
            left -= 1 + end - start;
        }
        return bucket == ends.length - 1 ? Math.max(0, left) : 0;
    }

    /** The numbers of the rows in order, once all is done. */
    int[] order() {
        return order;
    }

    private int count(long places) {
        long[] hashes = rows.hashes;
        long[] weights = rows.weights;
        int from = counted;
        int end = from + (int) Math.min(to - from, places);
        for (int row = from; row < end; row++) {
            if (!weighing || weights[row] != 0) {
                ends[(int) (hashes[row] >>> shift) + 1]++;
            }
        }
        counted = end;
        if (end == to) {
            for (int i = 1; i < ends.length; i++) {
                ends[i] += ends[i - 1];
            }
            order = new int[ends[ends.length - 1]];
            buckets = new RowSort(by, order);
            runs = new RunSort(rows, order, buckets);
        }
        return end - from;
    }

    /** Moves each start to the end of its bucket. */
    private int place(long places) {
        long[] hashes = rows.hashes;
        long[] weights = rows.weights;
        int from = placed;
        int end = from + (int) Math.min(to - from, places);
        for (int row = from; row < end; row++) {
            if (!weighing || weights[row] != 0) {
                order[ends[(int) (hashes[row] >>> shift)]++] = row;
            }
        }
        placed = end;
        return end - from;
    }
}
