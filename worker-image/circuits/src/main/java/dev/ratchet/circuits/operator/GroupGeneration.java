/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A table of groups with their states, and which of them are dirty: changed since they were stored. A group without a
 * state has a row that says so. One thread at a time.
 */
final class GroupGeneration {

    private static final long PRESENT = 1;
    private static final long DIRTY = 2;
    private static final int DIRTY_INITIAL = 16;

    private final RowTable rows;
    private int[] dirty = new int[DIRTY_INITIAL];
    private int dirtyCount;

    GroupGeneration(RowSchema schema) {
        rows = new RowTable(schema);
    }

    /** The number of a group, or -1. */
    int find(long hash, RowView group) {
        return rows.find(hash, group);
    }

    /** The state of a group, until another is asked for. */
    RowView row(int number) {
        return rows.row(number);
    }

    boolean isPresent(int number) {
        return (rows.mark(number) & PRESENT) != 0;
    }

    boolean isClean(int number) {
        return (rows.mark(number) & DIRTY) == 0;
    }

    void setDirty(int number) {
        rows.setMark(number, rows.mark(number) | DIRTY);
        if (dirtyCount == dirty.length) {
            dirty = Arrays.copyOf(dirty, 2 * dirtyCount);
        }
        dirty[dirtyCount++] = number;
    }

    /** How many groups {@link #clean} would go through, those that were taken over by others included. */
    int dirtyCount() {
        return dirtyCount;
    }

    long byteCount() {
        return rows.byteCount();
    }

    /** Copies a group of another generation, which is not responsible for it any more; returns its number here. */
    int takeOver(GroupGeneration other, int number) {
        boolean wasDirty = !other.isClean(number);
        int taken = rows.addCopy(other.rows, number, other.rows.mark(number) & PRESENT);
        other.rows.setMark(number, 0);
        if (wasDirty) {
            setDirty(taken);
        }
        return taken;
    }

    /** Where a state is to be set; of a new group, whose number is -1, the key, too. */
    RowWriter write(int number) {
        return number < 0 ? rows.append() : rows.writeOver(number);
    }

    /** Ends what {@link #write} began. */
    void written(int number, long hash, boolean present) {
        if (number < 0) {
            setDirty(rows.add(hash, present ? PRESENT : 0));
        } else {
            rows.written();
            rows.setMark(number, DIRTY | (present ? PRESENT : 0));
        }
    }

    /**
     * Adds the states of dirty groups to what is stored, which makes them clean.
     *
     * @param groups at most so many
     * @param kept states that fail it are left out; null for none
     */
    void clean(int groups, @Nullable RowPredicate kept, BatchBuilder stored) {
        int least = Math.max(0, dirtyCount - groups);
        while (dirtyCount > least) {
            int number = dirty[--dirtyCount];
            if (isClean(number)) {
                continue;
            }
            RowView row = rows.row(number);
            boolean isStored = isPresent(number) && (kept == null || kept.test(row));
            if (isStored) {
                stored.addRow(row, rows.hash(number), 1);
            }
            rows.setMark(number, isStored ? PRESENT : 0);
        }
    }

    /** Forgets all groups. */
    void clear() {
        rows.clear();
        dirtyCount = 0;
    }
}
