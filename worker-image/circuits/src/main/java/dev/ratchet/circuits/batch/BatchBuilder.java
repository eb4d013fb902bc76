/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Collects rows in any order and makes a {@link Batch} of them: sorted, weights of equal rows summed, rows of weight 0
 * left out. For each row set every column, then {@link #add}. Up to 2^26 rows and 2^30 bytes per column; more go into
 * several batches, merged. It can be used again after {@link #build} and keeps its arrays for that. One thread at a
 * time.
 */
public final class BatchBuilder implements RowWriter {

    private final RowSchema schema;
    private RowVectors rows;

    /** Where the rows lie that were given as they are. */
    private @Nullable RowVectors spare;

    /** Whether a row was taken out again. */
    private boolean weightless;

    public BatchBuilder(RowSchema schema) {
        this.schema = schema;
        this.rows = new RowVectors(schema);
    }

    public RowSchema schema() {
        return schema;
    }

    /** Rows added since the last batch, before sums. */
    public int rowCount() {
        return rows.count();
    }

    /** Bytes of memory that the rows added take, about. */
    public long byteCount() {
        return new UnconsolidatedRows(rows, 0, rows.count()).byteCount();
    }

    @Override
    public void setNull(int column) {
        rows.setNull(column);
    }

    @Override
    public void setLong(int column, long value) {
        rows.setLong(column, value);
    }

    @Override
    public void setWide(int column, long high, long low) {
        rows.setWide(column, high, low);
    }

    @Override
    public void setBytes(int column, byte[] source, int offset, int length) {
        rows.setBytes(column, source, offset, length);
    }

    @Override
    public void copy(int column, Storage storage, RowView row, int from) {
        rows.copy(column, storage, row, from);
    }

    /** Adds the row whose columns were set. A weight of 0 drops it. */
    public void add(long weight) {
        if (weight != 0) {
            rows.commit(weight);
        }
    }

    /** As {@link #add(long)} where the hash of the key is known, as from a cursor whose key is taken over unchanged. */
    public void add(long weight, long hash) {
        if (weight != 0) {
            rows.commit(weight, hash);
        }
    }

    /**
     * Adds rows with columns of rows of a table, all of one weight.
     *
     * @param numbers of the rows in the table
     * @param columns for each column that of the table, or -1 where it is to be set by {@link #writeOver}
     * @return the number of the first one, as {@link #rowCount} was before
     */
    public int addAll(RowTable table, int[] numbers, int[] columns, long weight) {
        int first = rows.count();
        RowCopies.append(rows, table.vectors(), numbers, columns, weight);
        return first;
    }

    /** Where columns of a row that was added are to be set; ended by {@link #written}. */
    public RowWriter writeOver(int row) {
        rows.writeAt(row);
        return rows;
    }

    /** Ends the rows of {@link #writeOver}. */
    public void written() {
        rows.writeAt(rows.count());
        rows.sumBytes();
    }

    /** Takes a row out again. */
    public void drop(int row) {
        rows.weights[row] = 0;
        weightless = true;
    }

    /**
     * Takes two rows out again where they are equal; one must have been added with the weight that takes the other
     * back.
     */
    public void dropIfEqual(int row, int other) {
        if (rows.sameColumns(rows.storages.length, row, rows, other)) {
            drop(row);
            drop(other);
        }
    }

    /** Adds a copy of a row of the same schema, with the hash of its key. */
    public void addRow(RowView row, long hash, long weight) {
        if (weight != 0) {
            rows.append(row, weight, hash);
        }
    }

    /** Adds copies of rows of the same schema, with the hashes of their keys. */
    public void addAll(UnconsolidatedPart part) {
        RowCopies.append(rows, part);
    }

    /** Where the rows lie that were added. */
    RowVectors vectors() {
        return rows;
    }

    /** Adds copies of the rows of a batch of the same schema. */
    public void addAll(Batch batch) {
        BatchCopy.into(rows, batch);
    }

    /**
     * The batch of all rows added, and starts anew.
     *
     * @throws ArithmeticException where weights of equal rows sum to more than 63 bits
     */
    public Batch build() {
        dropWeightless();
        Batch sum = new UnconsolidatedRows(rows, 0, rows.count()).batch();
        rows.clear();
        return sum;
    }

    /** The rows added, as they are, and starts anew; what it gave so before is gone. */
    public UnconsolidatedRows unconsolidated() {
        dropWeightless();
        UnconsolidatedRows given = new UnconsolidatedRows(rows, 0, rows.count());
        RowVectors next = spare;
        next = next == null ? new RowVectors(schema) : next;
        next.clear();
        spare = rows;
        rows = next;
        return given;
    }

    /** Forgets the rows added. */
    public void discard() {
        rows.clear();
        weightless = false;
    }

    private void dropWeightless() {
        if (weightless) {
            rows.dropWeightless();
            weightless = false;
        }
    }
}
