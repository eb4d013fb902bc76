/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;

/**
 * One row for each of some keys, found by key and written over in place: what changes too often to be sorted each time.
 * A hash table of row numbers over growing columns, with open addressing; keys are never taken out but all at once.
 * Bytes that were written over stay until then, counted by {@link #byteCount}. One thread at a time.
 */
public final class RowTable {

    private static final int SLOTS_INITIAL = 16;

    /** Hash, mark and slots of a row, and a column of one number. */
    private static final int ROW_BYTES = 28;

    private static final int COLUMN_BYTES = 9;

    private final RowSchema schema;
    private final RowVectors rows;
    private final UnconsolidatedCursor shown;
    private final int fixedBytes;
    private int[] slots = new int[SLOTS_INITIAL];

    public RowTable(RowSchema schema) {
        this.schema = schema;
        this.rows = new RowVectors(schema);
        this.shown = new UnconsolidatedCursor(rows, null, 0, 0);
        this.fixedBytes = ROW_BYTES + COLUMN_BYTES * schema.columnCount();
    }

    public int size() {
        return rows.count();
    }

    /** Bytes that the rows take, those of texts that were written over included. */
    public long byteCount() {
        return rows.poolBytes() + (long) fixedBytes * rows.count();
    }

    /** The number of the row of a key, or -1. */
    public int find(long hash, RowView key) {
        int mask = slots.length - 1;
        for (int slot = slotOf(hash, mask); slots[slot] != 0; slot = (slot + 1) & mask) {
            int row = slots[slot] - 1;
            if (rows.hashes[row] == hash && hasKey(row, key)) {
                return row;
            }
        }
        return -1;
    }

    /**
     * Finds the keys of rows, and adds those that are not there.
     *
     * @param initial the value columns of new rows, at their places; their marks are 0
     * @param numbers takes the number here of each row in turn
     */
    public void enterAll(UnconsolidatedRows keys, RowView initial, int[] numbers) {
        RowVectors from = keys.hashedRows();
        int first = keys.from();
        int count = keys.rowCount();
        int mask = slots.length - 1;
        for (int i = 0; i < count; i++) {
            numbers[i] = slots[slotOf(from.hashes[first + i], mask)] - 1;
        }
        new KeyMatch(rows, from, first).verify(numbers, count);
        for (int i = 0; i < count; i++) {
            if (numbers[i] < 0) {
                numbers[i] = enter(from, first + i, initial);
            }
        }
    }

    private boolean isKey(int row, RowVectors keys, int key) {
        return rows.hashes[row] == keys.hashes[key] && rows.sameColumns(schema.keyCount(), row, keys, key);
    }

    private int enter(RowVectors keys, int key, RowView initial) {
        int mask = slots.length - 1;
        for (int slot = slotOf(keys.hashes[key], mask); slots[slot] != 0; slot = (slot + 1) & mask) {
            if (isKey(slots[slot] - 1, keys, key)) {
                return slots[slot] - 1;
            }
        }
        rows.writeAt(rows.count());
        for (int column = 0; column < schema.keyCount(); column++) {
            rows.copy(column, schema.storages()[column], keys, column, key);
        }
        copyValues(initial);
        return add(keys.hashes[key], 0);
    }

    /** As {@link #enterAll} for one key. */
    public int enter(long hash, RowView key, RowView initial) {
        int found = find(hash, key);
        if (found >= 0) {
            return found;
        }
        rows.writeAt(rows.count());
        for (int column = 0; column < schema.keyCount(); column++) {
            rows.copy(column, schema.storages()[column], key, column);
        }
        copyValues(initial);
        return add(hash, 0);
    }

    private void copyValues(RowView row) {
        for (int column = schema.keyCount(); column < schema.columnCount(); column++) {
            rows.copy(column, schema.storages()[column], row, column);
        }
    }

    private boolean hasKey(int row, RowView key) {
        shown.show(row);
        return RowOrder.compare(schema.storages(), shown, key, 0, schema.keyCount()) == 0;
    }

    private static int slotOf(long hash, int mask) {
        // Worker threads own ranges of hashes, so that their first bits are much the same.
        return (int) hash & mask;
    }

    /** The columns of a row, until another is asked for or the table changes. */
    public RowView row(int number) {
        shown.show(number);
        return shown;
    }

    /** Shows rows as {@link #row} does, also to another thread while the table does not change. */
    public UnconsolidatedCursor reader() {
        return new UnconsolidatedCursor(rows, null, 0, 0);
    }

    /** What the owner of the table noted of a row. */
    public long mark(int number) {
        return rows.weights[number];
    }

    public void setMark(int number, long mark) {
        rows.weights[number] = mark;
    }

    public long hash(int number) {
        return rows.hashes[number];
    }

    RowVectors vectors() {
        return rows;
    }

    /** The arrays that the rows lie in; value columns may be written but for those of bytes. */
    public Columns columns() {
        return rows;
    }

    /** The numbers of rows from one on, in the order of their hashes. */
    public int[] byHash(int from) {
        return RowSort.orderByHash(rows, from, rows.count());
    }

    /** Sorts numbers of rows in the order of their hashes. */
    public void sortByHash(int[] numbers) {
        RowSort.sort(numbers, (left, right) -> Long.compareUnsigned(rows.hashes[left], rows.hashes[right]));
    }

    /** Sets the value columns of a row to those of another row of the same schema. */
    public void setValues(int number, RowView row) {
        rows.writeAt(number);
        copyValues(row);
        rows.writeAt(rows.count());
    }

    /** Where columns of a row are to be set over what they were, but for its key; ended by {@link #written}. */
    public RowWriter writeOver(int number) {
        rows.writeAt(number);
        return rows;
    }

    /** Ends the row of {@link #writeOver}. */
    public void written() {
        rows.writeAt(rows.count());
    }

    private int add(long hash, long mark) {
        rows.commit(mark, hash);
        int added = rows.count() - 1;
        if (rows.count() * 2 > slots.length) {
            slots = new int[slots.length * 2];
            for (int row = 0; row < added; row++) {
                enter(row);
            }
        }
        enter(added);
        return added;
    }

    private void enter(int row) {
        int mask = slots.length - 1;
        int slot = slotOf(rows.hashes[row], mask);
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = row + 1;
    }

    /** Forgets all rows. */
    public void clear() {
        rows.clear();
        slots = new int[SLOTS_INITIAL];
    }
}
