/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Columns;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import java.util.Arrays;

/**
 * Rows of a step, each with the number of the group that it belongs to: what is aggregated column by column. Owns the
 * numbers; the rows are those of an operator. One thread at a time.
 */
final class GroupedRows {

    private final UnconsolidatedRows source;
    private final UnconsolidatedCursor row;
    private int count;

    /** The numbers of the rows in their columns. */
    final int[] rows;

    /** The number of the group of each row. */
    final int[] groups;

    final Columns columns;
    final long[] weights;

    private GroupedRows(UnconsolidatedRows source, int[] rows, int[] groups) {
        this.source = source;
        this.row = source.cursor();
        this.rows = rows;
        this.groups = groups;
        this.count = rows.length;
        this.columns = source.columns();
        this.weights = source.weights();
    }

    /** All rows of a step. */
    static GroupedRows of(UnconsolidatedRows source, int[] groups) {
        int[] rows = new int[groups.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = source.from() + i;
        }
        return new GroupedRows(source, rows, groups);
    }

    int count() {
        return count;
    }

    /** One of the rows by its number in the columns, until another is asked for. */
    UnconsolidatedCursor row(int number) {
        row.show(number);
        return row;
    }

    /**
     * The rows in which a BOOLEAN column is TRUE and others are not NULL, each under 0 for none.
     *
     * @param present columns that are not NULL
     */
    GroupedRows where(int filter, int... present) {
        GroupedRows selected = this;
        if (filter >= 0) {
            selected = new GroupedRows(source, new int[count], new int[count]);
            selected.count = 0;
            boolean[] nulls = columns.nulls(filter);
            long[] values = columns.longs(filter);
            for (int i = 0; i < count; i++) {
                selected.take(rows[i], groups[i], !nulls[rows[i]] && values[rows[i]] != 0);
            }
        }
        for (int column : present) {
            if (column >= 0 && selected.hasNull(column)) {
                selected = selected.without(columns.nulls(column));
            }
        }
        return selected;
    }

    private boolean hasNull(int column) {
        boolean[] nulls = columns.nulls(column);
        boolean any = false;
        for (int i = 0; i < count; i++) {
            any |= nulls[rows[i]];
        }
        return any;
    }

    private GroupedRows without(boolean[] nulls) {
        GroupedRows rest = new GroupedRows(source, new int[count], new int[count]);
        rest.count = 0;
        for (int i = 0; i < count; i++) {
            rest.take(rows[i], groups[i], !nulls[rows[i]]);
        }
        return rest;
    }

    /** Adds a row where it is wanted; written so that what is wanted is no branch. */
    private void take(int number, int group, boolean isWanted) {
        rows[count] = number;
        groups[count] = group;
        count += isWanted ? 1 : 0;
    }

    /** The same rows, those of one group one after the other as they came. */
    GroupedRows byGroup() {
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            order[i] = (long) groups[i] << Integer.SIZE | i;
        }
        Arrays.sort(order);
        GroupedRows sorted = new GroupedRows(source, new int[count], new int[count]);
        for (int i = 0; i < count; i++) {
            sorted.rows[i] = rows[(int) order[i]];
            sorted.groups[i] = groups[(int) order[i]];
        }
        return sorted;
    }
}
