/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;

/**
 * Shows what a nested arrangement holds of a key up to an iteration: rows without the column of the iteration, which is
 * the last, with the sum of their weights. Walks one key; {@link #seek} is of no use here.
 */
final class IterationCursor implements Cursor {

    private final MergedCursor rows;
    private final Storage[] storages;
    private final int keyCount;
    private final int columns;
    private final RowBuffer row;
    private long last;
    private long hash;
    private long weight;
    private boolean valid;

    /** @param schema of the rows with their iterations */
    IterationCursor(MergedCursor rows, RowSchema schema) {
        this.rows = rows;
        this.storages = schema.storages();
        this.keyCount = schema.keyCount();
        this.columns = schema.columnCount() - 1;
        this.row = new RowBuffer(columns);
    }

    /** Goes to a key, of which it shows what came up to an iteration. */
    void seekKey(long hashOfKey, RowView key, long lastIteration) {
        last = lastIteration;
        hash = hashOfKey;
        rows.seekKey(hashOfKey, key);
        next();
    }

    @Override
    public boolean valid() {
        return valid;
    }

    @Override
    public void next() {
        weight = 0;
        while (weight == 0 && rows.valid()) {
            for (int column = 0; column < columns; column++) {
                row.copy(column, storages[column], rows, column);
            }
            while (rows.valid() && RowOrder.compare(storages, rows, row, keyCount, columns) == 0) {
                if (rows.longAt(columns) <= last) {
                    weight = Math.addExact(weight, rows.weight());
                }
                rows.next();
            }
        }
        valid = weight != 0;
    }

    @Override
    public long hash() {
        return hash;
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public void seek(long wanted) {
        throw new IllegalStateException("A cursor of one key can not go to other hashes");
    }

    @Override
    public boolean seekKey(long wanted, RowView key) {
        seekKey(wanted, key, last);
        return valid;
    }

    @Override
    public void seekValue(RowView bound, int count) {
        while (valid && RowOrder.compare(storages, row, bound, keyCount, keyCount + count) < 0) {
            next();
        }
    }

    @Override
    public boolean isNull(int column) {
        return row.isNull(column);
    }

    @Override
    public long longAt(int column) {
        return row.longAt(column);
    }

    @Override
    public long highAt(int column) {
        return row.highAt(column);
    }

    @Override
    public byte[] bytesAt(int column) {
        return row.bytesAt(column);
    }

    @Override
    public int offsetAt(int column) {
        return row.offsetAt(column);
    }

    @Override
    public int lengthAt(int column) {
        return row.lengthAt(column);
    }
}
