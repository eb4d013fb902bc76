/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;

/**
 * One row for each of some keys, found by key and written over in place: what changes too often to be sorted each time.
 * A hash table of row numbers over growing columns, with open addressing; keys are never taken out but all at once. A
 * slot has half of the hash beside the number, so that other keys in the way are passed without a look at their rows,
 * which lie far apart. Bytes that were written over stay until then, counted by {@link #byteCount}. One thread at a
 * time.
 */
public final class RowTable {

    private static final int SLOTS_INITIAL = 16;

    /** The half of the hash in a slot, the other half of which says where it is; the rest is the number, from 1. */
    private static final long TAG = -1L << Integer.SIZE;

    /** Hash, mark and slots of a row, and a column of one number. */
    private static final int ROW_BYTES = 34;

    private static final int COLUMN_BYTES = 9;

    private final RowSchema schema;
    private final RowVectors rows;
    private final LooseCursor shown;
    private final int fixedBytes;
    private long[] slots = new long[SLOTS_INITIAL];

    public RowTable(RowSchema schema) {
        this.schema = schema;
        this.rows = new RowVectors(schema);
        this.shown = new LooseCursor(rows, null, 0, 0);
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
        return rowIn(slotOf(hash, key));
    }

    /**
     * Finds the keys of rows, and adds those that are not there.
     *
     * @param initial the value columns of new rows, at their places; their marks are 0
     * @param numbers takes the number here of each row in turn
     */
    public void enterAll(LooseRows keys, RowView initial, int[] numbers) {
        RowVectors from = keys.hashedRows();
        int first = keys.from();
        int count = keys.rowCount();
        for (int i = 0; i < count; i++) {
            long hash = from.hashes[first + i];
            numbers[i] = rowIn(seek(hash, (int) hash));
        }
        new KeyMatch(rows, from, first).verify(numbers, count);
        for (int i = 0; i < count; i++) {
            if (numbers[i] < 0) {
                numbers[i] = enter(from, first + i, initial);
            }
        }
    }

    private int enter(RowVectors keys, int key, RowView initial) {
        long hash = keys.hashes[key];
        int slot = seek(hash, (int) hash);
        while (slots[slot] != 0 && !rows.sameColumns(schema.keyCount(), rowIn(slot), keys, key)) {
            slot = seek(hash, slot + 1);
        }
        if (slots[slot] != 0) {
            return rowIn(slot);
        }
        for (int column = 0; column < schema.keyCount(); column++) {
            rows.copy(column, schema.storages()[column], keys, column, key);
        }
        return add(hash, initial, slot);
    }

    /** As {@link #enterAll} for one key. */
    public int enter(long hash, RowView key, RowView initial) {
        int slot = slotOf(hash, key);
        if (slots[slot] != 0) {
            return rowIn(slot);
        }
        for (int column = 0; column < schema.keyCount(); column++) {
            rows.copy(column, schema.storages()[column], key, column);
        }
        return add(hash, initial, slot);
    }

    /** Where a key is, or the empty slot where it would be. */
    private int slotOf(long hash, RowView key) {
        int slot = seek(hash, (int) hash);
        while (slots[slot] != 0 && !hasKey(rowIn(slot), key)) {
            slot = seek(hash, slot + 1);
        }
        return slot;
    }

    private boolean hasKey(int row, RowView key) {
        shown.show(row);
        return RowOrder.compare(schema.storages(), shown, key, 0, schema.keyCount()) == 0;
    }

    /**
     * The first slot that is empty or has half of a hash, from one on. Lanes own ranges of hashes, whose first bits are
     * much the same, so that the last ones say where a row is.
     */
    private int seek(long hash, int from) {
        int mask = slots.length - 1;
        int slot = from & mask;
        while (slots[slot] != 0 && ((slots[slot] ^ hash) & TAG) != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** The number of the row in a slot, or -1. */
    private int rowIn(int slot) {
        return (int) slots[slot] - 1;
    }

    /** Adds the row whose key was written, which belongs into an empty slot. */
    private int add(long hash, RowView initial, int slot) {
        rows.copyFrom(schema.keyCount(), initial);
        rows.commit(0, hash);
        slots[slot] = (hash & TAG) | rows.count();
        if (rows.count() * 3L > slots.length * 2L) {
            slots = new long[slots.length * 2];
            for (int row = 0; row < rows.count(); row++) {
                place(row);
            }
        }
        return rows.count() - 1;
    }

    private void place(int row) {
        int mask = slots.length - 1;
        int slot = (int) rows.hashes[row] & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = (rows.hashes[row] & TAG) | (row + 1);
    }

    /** The columns of a row, until another is asked for or the table changes. */
    public RowView row(int number) {
        shown.show(number);
        return shown;
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
        rows.copyFrom(schema.keyCount(), row);
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

    /** Forgets all rows. */
    public void clear() {
        rows.clear();
        slots = new long[SLOTS_INITIAL];
    }
}
