/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the sum of several batches of one schema: equal rows are one row with the sum of their weights, sums of 0 are
 * left out. A binary heap of cursors; the row is that of the cursor at its root.
 */
public final class MergedCursor extends RowAlias implements Cursor {

    private final BatchCursor[] cursors;
    private final BatchCursor[] heap;

    /** The hash that each cursor of the heap stands on: almost all comparisons end there. */
    private final long[] hashes;

    private final @Nullable RowPredicate kept;
    private int size;
    private long weight;
    private long seeks;

    /** Whether it stands where the last seek of a key has left it. */
    private boolean isWhereSought;

    /**
     * A cursor on the first row.
     *
     * @param kept rows that fail it are left out as if their weight were 0; null keeps all. It says the same of equal
     *     rows.
     */
    public MergedCursor(List<Batch> batches, @Nullable RowPredicate kept) {
        this(batches, kept, true);
        rebuild();
    }

    /** A cursor that stands on no row until its first seek, and reads no block before. */
    public static MergedCursor probe(List<Batch> batches, @Nullable RowPredicate kept) {
        return new MergedCursor(batches, kept, false);
    }

    private MergedCursor(List<Batch> batches, @Nullable RowPredicate kept, boolean onFirstRow) {
        this.kept = kept;
        this.cursors = new BatchCursor[batches.size()];
        this.heap = new BatchCursor[batches.size() + 1];
        this.hashes = new long[heap.length];
        for (int i = 0; i < cursors.length; i++) {
            cursors[i] = new BatchCursor(batches.get(i), onFirstRow);
        }
    }

    /** Seeks asked of single batches so far: the work bound of joins and aggregates is counted in these. */
    public long seeks() {
        return seeks;
    }

    /** Whether it walks no batch at all. */
    public boolean isEmpty() {
        return cursors.length == 0;
    }

    @Override
    public boolean valid() {
        return size > 0;
    }

    /** A view of the row it stands on that stays there. */
    public RowView here() {
        return heap[0].here();
    }

    /** The cursor whose row is shown. */
    BatchCursor shown() {
        return heap[0];
    }

    @Override
    public void next() {
        isWhereSought = false;
        advance(0);
        settle();
    }

    @Override
    public long hash() {
        return hashes[0];
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public void seek(long hash) {
        isWhereSought = false;
        for (BatchCursor cursor : cursors) {
            cursor.seek(hash);
        }
        seeks += cursors.length;
        rebuild();
    }

    @Override
    public boolean seekKey(long hash, RowView key) {
        for (BatchCursor cursor : cursors) {
            cursor.seekKey(hash, key);
        }
        seeks += cursors.length;
        rebuild();
        isWhereSought = true;
        return size > 0;
    }

    /**
     * Goes back to the first row of the key that was last sought, without seeking again; costs nothing where it has not
     * moved since.
     *
     * @param more a cursor on rows of the same key, or on none, that is merged with the others until the next seek;
     *     null for none
     */
    public void rewind(@Nullable BatchCursor more) {
        if (isWhereSought && more == null) {
            return;
        }
        for (BatchCursor cursor : cursors) {
            cursor.rewind();
        }
        size = 0;
        if (more != null && more.valid()) {
            enter(more);
        }
        heapify();
        isWhereSought = more == null;
    }

    @Override
    public void seekValue(RowView bound, int columns) {
        // Cursors with rows equal to the shown one are behind it already: where it may stay, nothing may be rebuilt.
        if (size == 0 || heap[0].compareValue(bound, columns) >= 0) {
            return;
        }
        isWhereSought = false;
        for (int i = 0; i < size; i++) {
            heap[i].seekValue(bound, columns);
        }
        seeks += size;
        rebuild();
    }

    /**
     * Within the rows of the key last sought, goes back from the first row whose first value columns are at least those
     * of another, by at most so many rows in each batch. What it shows from there on is complete.
     *
     * @param columns how many value columns are compared, from the first
     * @return whether it stands on the first row of the key, or the key has no rows
     */
    public boolean seekBack(RowView bound, int columns, long rows) {
        isWhereSought = false;
        BatchCursor latest = null;
        for (BatchCursor cursor : cursors) {
            boolean whole = cursor.seekBack(bound, columns, rows);
            // From the bound itself on every batch is complete, and may be at its end.
            if (!whole && rows > 0 && (latest == null || cursor.compareRow(latest) > 0)) {
                latest = cursor;
            }
        }
        seeks += cursors.length;
        if (latest != null) {
            int all = latest.valueColumns();
            for (BatchCursor cursor : cursors) {
                // In batches that go back further, rows from which others have been left out.
                if (cursor != latest) {
                    cursor.seekValue(latest, all);
                }
            }
        }
        rebuild();
        return latest == null;
    }

    private void rebuild() {
        size = 0;
        heapify();
    }

    private void heapify() {
        for (BatchCursor cursor : cursors) {
            if (cursor.valid()) {
                enter(cursor);
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            sift(i);
        }
        settle();
    }

    private void enter(BatchCursor cursor) {
        hashes[size] = cursor.hash();
        heap[size++] = cursor;
    }

    /** Sums the weights of the row at the root, and goes on while it is not one to show. */
    private void settle() {
        while (size > 0) {
            weight = heap[0].weight();
            int twin = smallerChild(0);
            while (twin < size && compare(0, twin) == 0) {
                weight = Math.addExact(weight, heap[twin].weight());
                advance(twin);
                twin = smallerChild(0);
            }
            if (weight != 0 && (kept == null || kept.test(heap[0]))) {
                return;
            }
            advance(0);
        }
    }

    /** Moves a cursor of the heap to its next row, or out of the heap, and restores the order below it. */
    private void advance(int at) {
        BatchCursor cursor = heap[at];
        cursor.next();
        if (cursor.valid()) {
            hashes[at] = cursor.hash();
        } else {
            size--;
            heap[at] = heap[size];
            hashes[at] = hashes[size];
        }
        sift(at);
    }

    private void sift(int start) {
        int at = start;
        for (int child = smallerChild(at); child < size && compare(child, at) < 0; child = smallerChild(at)) {
            BatchCursor moving = heap[at];
            heap[at] = heap[child];
            heap[child] = moving;
            long hash = hashes[at];
            hashes[at] = hashes[child];
            hashes[child] = hash;
            at = child;
        }
    }

    /** The child with the smaller row, or a number from {@link #size} on where there is none. */
    private int smallerChild(int at) {
        int left = 2 * at + 1;
        return left + 1 < size && compare(left + 1, left) < 0 ? left + 1 : left;
    }

    private int compare(int one, int two) {
        int order = Long.compareUnsigned(hashes[one], hashes[two]);
        return order != 0 ? order : heap[one].compareRow(heap[two]);
    }

    @Override
    public RowView rowOf(int column) {
        return heap[0];
    }

    @Override
    public int columnOf(int column) {
        return column;
    }

    // As inherited, but at call sites of its own, which see one class of rows.

    @Override
    public boolean isNull(int column) {
        return heap[0].isNull(column);
    }

    @Override
    public long longAt(int column) {
        return heap[0].longAt(column);
    }

    @Override
    public long highAt(int column) {
        return heap[0].highAt(column);
    }

    @Override
    public byte[] bytesAt(int column) {
        return heap[0].bytesAt(column);
    }

    @Override
    public int offsetAt(int column) {
        return heap[0].offsetAt(column);
    }

    @Override
    public int lengthAt(int column) {
        return heap[0].lengthAt(column);
    }
}
