/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.Arrays;

/**
 * One row for each of some keys, found by key and written over in place: what changes too often to be sorted each time.
 * A hash table of row numbers over growing columns, with open addressing; keys are never taken out but all at once.
 * Bytes that were written over stay until then, counted by {@link #byteCount}. One thread at a time.
 */
public final class RowTable {

    private static final int SLOTS_INITIAL = 16;

    private final RowSchema schema;
    private final RowVectors rows;
    private final LooseCursor shown;
    private int[] slots = new int[SLOTS_INITIAL];

    public RowTable(RowSchema schema) {
        this.schema = schema;
        this.rows = new RowVectors(schema);
        this.shown = new LooseCursor(rows, null, 0, 0);
    }

    public int size() {
        return rows.count();
    }

    /** Bytes written into BYTES columns since the last {@link #clear}. */
    public long byteCount() {
        return rows.poolBytes();
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

    private boolean hasKey(int row, RowView key) {
        shown.show(row);
        return RowOrder.compare(schema.storages(), shown, key, 0, schema.keyCount()) == 0;
    }

    private static int slotOf(long hash, int mask) {
        // Lanes own ranges of hashes, so that their first bits are much the same.
        return (int) hash & mask;
    }

    /** The columns of a row, until another is asked for or the table changes. */
    public RowView row(int number) {
        shown.show(number);
        return shown;
    }

    /** What was said with {@link #write} of a row. */
    public boolean isPresent(int number) {
        return rows.weights[number] != 0;
    }

    public long hash(int number) {
        return rows.hashes[number];
    }

    /**
     * Where all columns of a row are to be set, followed by {@link #written}.
     *
     * @param number of a row to write over, its key as it was; -1 for a new one, whose key is not there yet
     */
    public RowWriter write(int number) {
        rows.writeAt(number < 0 ? rows.count() : number);
        return rows;
    }

    /** Ends the row of {@link #write}, with a note whether it stands for anything. */
    public void written(int number, long hash, boolean present) {
        if (number >= 0) {
            rows.weights[number] = present ? 1 : 0;
            rows.writeAt(rows.count());
            return;
        }
        rows.commit(present ? 1 : 0, hash);
        if (rows.count() * 2 > slots.length) {
            slots = new int[slots.length * 2];
            for (int row = 0; row < rows.count() - 1; row++) {
                enter(row);
            }
        }
        enter(rows.count() - 1);
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
        Arrays.fill(slots, 0);
    }
}
