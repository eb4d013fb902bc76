/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;

/** Counts rows and, of a BOOLEAN argument, those that are TRUE. */
final class CountAccumulator extends Accumulator {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final List<ColumnType> ROWS = List.of(BIGINT);
    private static final List<ColumnType> ROWS_AND_TRUES = List.of(BIGINT, BIGINT);

    private final AggregateKind kind;
    private final int argument;
    private long rows;
    private long trues;

    CountAccumulator(AggregateKind kind, int argument) {
        this.kind = kind;
        this.argument = argument;
    }

    private boolean isCount() {
        return kind == AggregateKind.COUNT;
    }

    @Override
    List<ColumnType> columns() {
        return isCount() ? ROWS : ROWS_AND_TRUES;
    }

    @Override
    void clear() {
        rows = 0;
        trues = 0;
    }

    @Override
    void merge(RowView state, int at) {
        rows = Math.addExact(rows, state.longAt(at));
        trues = isCount() ? 0 : Math.addExact(trues, state.longAt(at + 1));
    }

    @Override
    void add(RowView row, long weight) {
        rows = Math.addExact(rows, weight);
        if (!isCount() && row.longAt(argument) != 0) {
            trues = Math.addExact(trues, weight);
        }
    }

    @Override
    boolean isZero() {
        return (rows | trues) == 0;
    }

    @Override
    void store(RowWriter out, int at) {
        out.setLong(at, rows);
        if (!isCount()) {
            out.setLong(at + 1, trues);
        }
    }

    @Override
    void result(RowWriter out, int column) {
        if (isCount()) {
            out.setLong(column, rows);
        } else if (rows <= 0) {
            out.setNull(column);
        } else {
            out.setLong(column, (kind == AggregateKind.EVERY ? trues >= rows : trues > 0) ? 1 : 0);
        }
    }

    /**
     * Counts the rows in which a BOOLEAN column is TRUE, as {@link #addAll} those that were selected.
     *
     * @param filter the column
     * @return false where it does not, because more than a count is kept
     */
    boolean addWhere(GroupedRows rows, int filter, RowTable states, int at) {
        if (!isCount()) {
            return false;
        }
        count(rows, filter, states.columns().longs(at));
        return true;
    }

    /** Counts the rows of each group, under a filter from 0 on only those in which that column is TRUE. */
    private static void count(GroupedRows rows, int filter, long[] counts) {
        // TRUE is 1, and NULL 0 as FALSE: what is counted is no branch.
        long[] values = filter < 0 ? rows.weights : rows.columns.longs(filter);
        int group = 0;
        long sum = 0;
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.rows[i];
            // A group comes many times on end, or hardly ever.
            if (rows.groups[i] != group) {
                counts[group] = Math.addExact(counts[group], sum);
                group = rows.groups[i];
                sum = 0;
            }
            sum = Math.addExact(sum, filter < 0 ? rows.weights[row] : rows.weights[row] * values[row]);
        }
        counts[group] = Math.addExact(counts[group], sum);
    }

    @Override
    void addAll(GroupedRows rows, RowTable states, int at) {
        count(rows, -1, states.columns().longs(at));
        if (!isCount()) {
            long[] truesOfAll = states.columns().longs(at + 1);
            long[] values = rows.columns.longs(argument);
            for (int i = 0; i < rows.count(); i++) {
                int group = rows.groups[i];
                long weight = values[rows.rows[i]] == 0 ? 0 : rows.weights[rows.rows[i]];
                truesOfAll[group] = Math.addExact(truesOfAll[group], weight);
            }
        }
    }

    @Override
    int resultColumn() {
        return isCount() ? 0 : -1;
    }
}
