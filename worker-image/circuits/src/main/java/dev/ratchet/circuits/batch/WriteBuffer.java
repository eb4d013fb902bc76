/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows that came lately, as they came, found by their keys: what stands in front of a trace for readers that look up
 * keys, so that rows are sorted and encoded many steps at a time. Rows of one slot of the hash table form a list, the
 * newest first. A row that is taken back soon after it came is cancelled where it lies, so that a key whose row changes
 * in every step has few. Rows can be seen as they were before the step and as they are. It holds at most
 * {@value #ROWS_MAX} rows and {@value #BYTES_MAX} bytes, about.
 *
 * <p>Then they {@link #leave}: no more come, and they become a batch a bounded amount of rows at a time, while they are
 * found as before. One thread at a time.
 */
public final class WriteBuffer {

    /** Less than a power of two, so that arrays that double have room for a step more. */
    private static final int ROWS_MAX = 60_000;

    private static final int BYTES_MAX = 8 << 20;

    /** Rows of a slot that are looked at for the one that is taken back. */
    private static final int SEARCHED_MAX = 64;

    /** So many rows taken back that were not found here, and a part of all, make those that were read too often. */
    private static final int UNMATCHED_MIN = 1 << 10;

    private static final int UNMATCHED_PART = 4;
    private static final int INITIAL = 16;
    private static final int NONE = -1;
    private static final int NOT_LISTED = -2;

    private final RowVectors rows;
    private final UnconsolidatedCursor shown;
    private int[] newest = new int[INITIAL];

    /** For each row the next older and the next newer one of its slot. */
    private int[] older = new int[INITIAL];

    private int[] newer = new int[INITIAL];

    /** For each row the rows of its slot from it on, and the most that any has. */
    private int[] depths = new int[INITIAL];

    private int depthMax;

    /** The weights of rows before the step, of those that were there. */
    private long[] before = new long[INITIAL];

    private int firstOfStep;
    private int[] cancelled = new int[INITIAL];
    private int cancelledCount;
    private int unmatched;

    /** The rows that leave: how many were looked at, their order, and their sum. */
    private int looked;

    private @Nullable HashSort sort;
    private @Nullable RowSum sum;
    private @Nullable RowPredicate kept;

    public WriteBuffer(RowSchema schema) {
        this.rows = new RowVectors(schema);
        this.shown = new UnconsolidatedCursor(rows, null, 0, 0);
        Arrays.fill(newest, NONE);
    }

    /** Whether so many rows more are few enough to be looked up one by one. */
    public static boolean isFew(long more) {
        return more <= ROWS_MAX;
    }

    public boolean isEmpty() {
        return rows.count() == 0;
    }

    public int rowCount() {
        return rows.count();
    }

    /**
     * How many rows {@link #leave} would make a batch of, equal ones each for itself.
     *
     * @param those rows that fail it are left out; null for none
     */
    public long count(@Nullable RowPredicate those) {
        long count = 0;
        for (int row = 0; row < rows.count(); row++) {
            if (weight(row) != 0 && (those == null || those.test(row(row)))) {
                count++;
            }
        }
        return count;
    }

    /** Bytes that the columns take, those of rows that were cancelled included. */
    public long byteCount() {
        return rows.poolBytes() + (long) Long.BYTES * rows.storages.length * rows.count();
    }

    /**
     * Whether it is time for the rows to {@link #leave}.
     *
     * @param bytesMax how many bytes they may have
     */
    public boolean isFull(long bytesMax) {
        return rows.count() >= ROWS_MAX
                || byteCount() >= Math.min(BYTES_MAX, bytesMax)
                || unmatched > Math.max(UNMATCHED_MIN, rows.count() / UNMATCHED_PART);
    }

    /** Adds copies of rows; computes their hashes, which whoever walks them may read from then on. */
    public void addAll(UnconsolidatedRows added) {
        int first = rows.count();
        RowCopies.append(rows, added.hashedRows(), added.from(), added.from() + added.rowCount());
        enterFrom(first);
    }

    /** Adds copies of the rows of a batch. */
    public void addAll(Batch batch) {
        int first = rows.count();
        BatchCopy.into(rows, batch);
        enterFrom(first);
    }

    private void enterFrom(int first) {
        int count = rows.count();
        if (count > older.length) {
            int capacity = Math.max(count, 2 * older.length);
            older = Arrays.copyOf(older, capacity);
            newer = Arrays.copyOf(newer, capacity);
            depths = Arrays.copyOf(depths, capacity);
            before = Arrays.copyOf(before, capacity);
        }
        Arrays.fill(newer, first, count, NOT_LISTED);
        if (count > newest.length) {
            newest = new int[Integer.highestOneBit(count) << 1];
            Arrays.fill(newest, NONE);
            for (int row = 0; row < first; row++) {
                if (newer[row] != NOT_LISTED) {
                    enter(row);
                }
            }
        }
        for (int row = first; row < count; row++) {
            if (rows.weights[row] > 0) {
                enter(row);
            } else if (!isCancelling(row)) {
                enter(row);
                unmatched++;
            }
        }
    }

    private int slotOf(long hash) {
        // Worker threads own ranges of hashes, so that their first bits are much the same.
        return (int) hash & newest.length - 1;
    }

    private void enter(int row) {
        int slot = slotOf(rows.hashes[row]);
        int next = newest[slot];
        older[row] = next;
        newer[row] = NONE;
        if (next != NONE) {
            newer[next] = row;
        }
        newest[slot] = row;
        depths[row] = next == NONE ? 1 : depths[next] + 1;
        depthMax = Math.max(depthMax, depths[row]);
    }

    /** About the most rows that one key has, where none were taken back. */
    public int depth() {
        return depthMax;
    }

    private boolean isCancelling(int row) {
        long hash = rows.hashes[row];
        int at = newest[slotOf(hash)];
        for (int searched = 0; at != NONE && searched < SEARCHED_MAX; searched++, at = older[at]) {
            boolean isSame = rows.hashes[at] == hash && rows.sameColumns(rows.storages.length, at, rows, row);
            if (isSame && rows.weights[at] >= -rows.weights[row]) {
                rows.weights[at] += rows.weights[row];
                rows.weights[row] = 0;
                if (cancelledCount == cancelled.length) {
                    cancelled = Arrays.copyOf(cancelled, 2 * cancelledCount);
                }
                cancelled[cancelledCount++] = at;
                return true;
            }
        }
        return false;
    }

    /** Makes what is there what was before the next step. */
    public void endStep() {
        for (int i = 0; i < cancelledCount; i++) {
            int row = cancelled[i];
            before[row] = rows.weights[row];
            if (rows.weights[row] == 0 && newer[row] != NOT_LISTED) {
                leave(row);
            }
        }
        cancelledCount = 0;
        System.arraycopy(rows.weights, firstOfStep, before, firstOfStep, rows.count() - firstOfStep);
        firstOfStep = rows.count();
    }

    private void leave(int row) {
        int next = older[row];
        if (next != NONE) {
            newer[next] = newer[row];
        }
        if (newer[row] == NONE) {
            newest[slotOf(rows.hashes[row])] = next;
        } else {
            older[newer[row]] = next;
        }
        newer[row] = NOT_LISTED;
    }

    /** The number of the newest row with a key, or -1. */
    public int find(long hash, RowView key) {
        int at = newest[slotOf(hash)];
        while (at != NONE && !(rows.hashes[at] == hash && hasKey(at, key))) {
            at = older[at];
        }
        return at;
    }

    private boolean hasKey(int row, RowView key) {
        if (key instanceof UnconsolidatedCursor cursor) {
            return rows.sameColumns(rows.schema.keyCount(), row, cursor.rows(), cursor.row());
        }
        shown.show(row);
        return RowOrder.compare(rows.storages, shown, key, 0, rows.schema.keyCount()) == 0;
    }

    /** The number of the next older row with the key of a row, or -1. */
    public int findOlder(int row) {
        int at = older[row];
        while (at != NONE
                && !(rows.hashes[at] == rows.hashes[row] && rows.sameColumns(rows.schema.keyCount(), at, rows, row))) {
            at = older[at];
        }
        return at;
    }

    /** The columns of a row, until another is asked for. */
    public RowView row(int number) {
        shown.show(number);
        return shown;
    }

    /** The weight of a row; 0 where it was taken back. */
    public long weight(int number) {
        // Weights of rows that leave are summed meanwhile.
        return sort == null ? rows.weights[number] : weightBefore(number);
    }

    /** The weight of a row before the step; 0 where it was not there. */
    public long weightBefore(int number) {
        return number < firstOfStep ? before[number] : 0;
    }

    /** As {@link #leave} without the rows of the step, which are forgotten; where none was taken back in it. */
    public void leaveBeforeStep(@Nullable RowPredicate those) {
        Arrays.fill(rows.weights, firstOfStep, rows.count(), 0);
        leave(those);
    }

    /**
     * From now on no rows come, and {@link #work} makes a batch of those that are here.
     *
     * @param those rows that fail it are left out; null for none. A row that failed once must fail for ever
     */
    public void leave(@Nullable RowPredicate those) {
        kept = those;
        sort = new HashSort(rows, 0, rows.count(), rows::compare, true);
    }

    /**
     * Does a part of making the batch. A row takes seven steps at most: it is counted, put into its bucket, sorted with
     * it, looked at, summed, and has two buckets. It is looked at late, because many need not be kept by then.
     *
     * @return whether the batch is complete, for {@link #taken}
     */
    public boolean work(long steps) {
        HashSort ordered = sort;
        if (ordered == null) {
            throw new IllegalStateException("Rows leave before there is a batch of them");
        }
        long left = steps;
        RowSum summed = sum;
        if (summed == null) {
            left = ordered.work(left);
            left -= left > 0 ? look(left) : 0;
            if (left == 0) {
                return false;
            }
            summed = new RowSum(rows, ordered.order());
            sum = summed;
        }
        return summed.work(left);
    }

    private int look(long rowsMax) {
        int from = looked;
        looked += (int) Math.min(rows.count() - looked, rowsMax);
        RowPredicate those = kept;
        for (int row = from; those != null && row < looked; row++) {
            if (rows.weights[row] != 0 && !those.test(row(row))) {
                rows.weights[row] = 0;
            }
        }
        return looked - from;
    }

    /** The sum of the rows that left, which are forgotten: others may come. */
    public Batch taken() {
        RowSum summed = sum;
        if (summed == null) {
            throw new IllegalStateException("The batch is not complete; call work() until it returns true");
        }
        Batch batch = summed.result();
        rows.clearKeepingRoom();
        Arrays.fill(newest, NONE);
        depthMax = 0;
        firstOfStep = 0;
        cancelledCount = 0;
        unmatched = 0;
        looked = 0;
        sort = null;
        sum = null;
        kept = null;
        return batch;
    }
}
