/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows with weights in no order, equal ones perhaps several times: what linear operators hand on, since only the sum
 * counts and they commute with it. The sum is made when somebody first asks for it, so that a chain of such operators
 * sorts, hashes and encodes nothing. The rows lie in arrays of the builder that gave them, and are valid until it gives
 * others. One thread at a time; parts of the same rows may be read by one thread each.
 */
public final class UnconsolidatedRows {

    private final RowVectors rows;
    private final int from;
    private final int to;
    private final long generation;
    private boolean hashed;
    private @Nullable Batch batch;

    UnconsolidatedRows(RowVectors rows, int from, int to) {
        this.rows = rows;
        this.from = from;
        this.to = to;
        this.generation = rows.generation();
        this.hashed = rows.hasAllHashes();
    }

    public boolean isEmpty() {
        return from == to;
    }

    public int rowCount() {
        return to - from;
    }

    /** About how many bytes the rows take. */
    public long byteCount() {
        long fixed = 8L * (rows.storages.length + 1) * (to - from);
        return rows.count() == 0 ? 0 : fixed + (long) rows.byteCount() * (to - from) / rows.count();
    }

    /** The arrays in which the rows are those from {@link #from} on, so many as {@link #rowCount}. */
    public Columns columns() {
        return unsummed();
    }

    RowVectors unsummed() {
        check();
        checkUnsummed();
        return rows;
    }

    /** The number of the first row in the arrays. */
    public int from() {
        return from;
    }

    /** The weights of rows, numbered as in the arrays. */
    public long[] weights() {
        return rows.weights;
    }

    /** Walks the rows as they came; their hashes are not known. */
    public UnconsolidatedCursor cursor() {
        return new UnconsolidatedCursor(unsummed(), null, from, to);
    }

    /** Walks the rows as they came, with their hashes. */
    public UnconsolidatedCursor hashedCursor() {
        checkUnsummed();
        return new UnconsolidatedCursor(hashedRows(), null, from, to);
    }

    /** Walks the rows so that those of one key follow each other, in the order of (unsigned hash, key). */
    public UnconsolidatedCursor byKey() {
        checkUnsummed();
        int[] order = RowSort.orderByKey(hashedRows(), from, to);
        return order == null
                ? new UnconsolidatedCursor(rows, null, from, to)
                : new UnconsolidatedCursor(rows, order, 0, order.length);
    }

    /** Walks the rows in the order of (unsigned hash, columns), equal ones each for itself. */
    public UnconsolidatedCursor inOrder() {
        checkUnsummed();
        int[] order = RowSort.order(hashedRows(), from, to);
        return order == null
                ? new UnconsolidatedCursor(rows, null, from, to)
                : new UnconsolidatedCursor(rows, order, 0, order.length);
    }

    /**
     * The sum of the rows.
     *
     * @throws ArithmeticException where weights of equal rows sum to more than 63 bits
     */
    public Batch batch() {
        Batch sum = batch;
        if (sum == null) {
            sum = RowSum.of(hashedRows(), from, to);
            batch = sum;
        }
        return sum;
    }

    /** Gives the room of many rows back, when nobody reads them any more; small ones stay for the next rows. */
    public void forgetIfLarge() {
        if (rows.generation() == generation) {
            rows.clearIfLarge();
        }
    }

    /** Whether {@link #batch} was called, after which it is all that may be read. */
    public boolean isSummed() {
        return batch != null;
    }

    /** The rows in so many parts of about one size, whose sums are those of the whole. */
    public List<UnconsolidatedRows> parts(int count) {
        List<UnconsolidatedRows> parts = new ArrayList<>();
        for (int part = 0; part < count; part++) {
            int begin = from + (int) ((long) rowCount() * part / count);
            int end = from + (int) ((long) rowCount() * (part + 1) / count);
            parts.add(new UnconsolidatedRows(rows, begin, end));
        }
        return parts;
    }

    /**
     * Sets parts to the rows by the shards that the hashes of their keys fall into.
     *
     * @param parts one for each thread of the map
     */
    public void split(ShardMap map, UnconsolidatedPart[] parts) {
        checkUnsummed();
        split(map, hashedRows().hashes, parts);
    }

    /**
     * Sets parts to the rows by the shards that the hashes of some columns fall into, in the order of the columns.
     *
     * @param parts one for each thread of the map
     */
    public void split(ShardMap map, List<Integer> columns, UnconsolidatedPart[] parts) {
        split(map, KeyHashes.of(unsummed(), columns, from, to), parts);
    }

    private void split(ShardMap map, long[] placing, UnconsolidatedPart[] parts) {
        int[] owners = map.owners();
        RowVectors all = hashedRows();
        int[] counts = new int[parts.length];
        for (int row = from; row < to; row++) {
            counts[owners[HashRange.shardOf(placing[row], owners.length)]]++;
        }
        for (int part = 0; part < parts.length; part++) {
            parts[part].begin(all, counts[part]);
        }
        // Places are counted here: the parts of several threads lie side by side in memory.
        Arrays.fill(counts, 0);
        for (int row = from; row < to; row++) {
            int owner = owners[HashRange.shardOf(placing[row], owners.length)];
            parts[owner].set(counts[owner]++, row, all.hashes[row], all.weights[row]);
        }
    }

    private void checkUnsummed() {
        if (batch != null) {
            throw new IllegalStateException("The rows were summed; read their batch");
        }
    }

    /** The arrays with the hashes of the rows. */
    RowVectors hashedRows() {
        check();
        if (!hashed) {
            KeyHashes.compute(rows, from, to);
            hashed = true;
        }
        return rows;
    }

    private void check() {
        if (rows.generation() != generation) {
            throw new IllegalStateException("The rows are gone: whoever gave them has given others since");
        }
    }
}
