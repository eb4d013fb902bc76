/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A table of groups with their states, and which of them are dirty: changed since they were stored. A group without a
 * state has a row with the initial one that says so. One thread at a time.
 */
final class GroupGeneration {

    private static final long PRESENT = 1;
    private static final long DIRTY = 2;
    private static final long TOUCHED = 4;
    private static final int DIRTY_INITIAL = 16;

    private final RowTable rows;
    private final RowView initial;
    private int[] dirty = new int[DIRTY_INITIAL];
    private int dirtyCount;

    /** @param initial the state of a group that has none, its columns at their places behind the key */
    GroupGeneration(RowSchema schema, RowView initial) {
        this.rows = new RowTable(schema);
        this.initial = initial;
    }

    /** The states, to be read and to be changed in place. */
    RowTable rows() {
        return rows;
    }

    /** Finds the groups of rows; those that are not here are added without a state. */
    void enterAll(UnconsolidatedRows keys, int[] numbers) {
        rows.enterAll(keys, initial, numbers);
    }

    int enter(long hash, RowView group) {
        return rows.enter(hash, group, initial);
    }

    boolean isPresent(int number) {
        return (rows.mark(number) & PRESENT) != 0;
    }

    boolean isClean(int number) {
        return (rows.mark(number) & DIRTY) == 0;
    }

    boolean isTouched(int number) {
        return (rows.mark(number) & TOUCHED) != 0;
    }

    void setTouched(int number, boolean touched) {
        rows.setMark(number, touched ? rows.mark(number) | TOUCHED : rows.mark(number) & ~TOUCHED);
    }

    void setDirty(int number) {
        rows.setMark(number, rows.mark(number) | DIRTY);
        if (dirtyCount == dirty.length) {
            dirty = Arrays.copyOf(dirty, 2 * dirtyCount);
        }
        dirty[dirtyCount++] = number;
    }

    /** Says whether a group has a state; one without has the initial one from then on. */
    void setPresent(int number, boolean present) {
        rows.setMark(number, present ? rows.mark(number) | PRESENT : rows.mark(number) & ~PRESENT);
        if (!present) {
            rows.setValues(number, initial);
        }
    }

    /** How many groups {@link #clean} would go through, those that were taken over by others included. */
    int dirtyCount() {
        return dirtyCount;
    }

    /**
     * The states that {@link #clean} would add.
     *
     * @param kept states that fail it are left out; null for none
     */
    long countDirty(@Nullable RowPredicate kept) {
        long count = 0;
        for (int i = 0; i < dirtyCount; i++) {
            int number = dirty[i];
            if (!isClean(number) && isPresent(number) && (kept == null || kept.test(rows.row(number)))) {
                count++;
            }
        }
        return count;
    }

    long byteCount() {
        return rows.byteCount();
    }

    /** Sets the state of a group to that in another generation, which is not responsible for it any more. */
    void takeOver(int number, GroupGeneration other, int otherNumber) {
        boolean wasDirty = !other.isClean(otherNumber);
        if (other.isPresent(otherNumber)) {
            restore(number, other.rows.row(otherNumber));
        }
        other.rows.setMark(otherNumber, 0);
        if (wasDirty) {
            setDirty(number);
        }
    }

    /** Sets the state of a group to that of a row. */
    void restore(int number, RowView state) {
        rows.setValues(number, state);
        rows.setMark(number, PRESENT);
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
            rows.setMark(number, rows.mark(number) & ~DIRTY);
            setPresent(number, isStored);
        }
    }

    /**
     * Adds the states of dirty groups to what is stored. In any thread, once the generation is not changed any more.
     *
     * @param kept states that fail it are left out; null for none
     */
    void copyDirty(@Nullable RowPredicate kept, BatchBuilder stored) {
        UnconsolidatedCursor row = rows.reader();
        for (int i = 0; i < dirtyCount; i++) {
            int number = dirty[i];
            row.show(number);
            if (!isClean(number) && isPresent(number) && (kept == null || kept.test(row))) {
                stored.addRow(row, rows.hash(number), 1);
            }
        }
    }

    /** Forgets all groups. */
    void clear() {
        rows.clear();
        dirtyCount = 0;
    }
}
