/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import java.util.List;

/** MIN and MAX over rows that only come: the best one so far says all. */
final class ExtremeAccumulator extends Accumulator {

    private final boolean smallest;
    private final int argument;
    private final Storage storage;
    private final List<ColumnType> columns;
    private final RowBuffer best = new RowBuffer(1);

    ExtremeAccumulator(AggregateCall call, ColumnType type) {
        this.smallest = call.kind() == AggregateKind.MIN;
        this.argument = call.argument();
        this.storage = type.storage();
        this.columns = List.of(type.orNull());
        best.setNull(0);
    }

    @Override
    List<ColumnType> columns() {
        return columns;
    }

    @Override
    void clear() {
        best.setNull(0);
    }

    @Override
    void merge(RowView state, int at) {
        if (!state.isNull(at)) {
            offer(state, at);
        }
    }

    @Override
    void add(RowView row, long weight) {
        offer(row, argument);
    }

    private void offer(RowView row, int column) {
        int order = best.isNull(0) ? 0 : RowOrder.compare(storage, row, column, best, 0);
        if (best.isNull(0) || (smallest ? order < 0 : order > 0)) {
            best.copy(0, storage, row, column);
        }
    }

    @Override
    boolean isZero() {
        return best.isNull(0);
    }

    @Override
    void store(RowWriter out, int at) {
        out.copy(at, storage, best, 0);
    }

    @Override
    void result(RowWriter out, int column) {
        out.copy(column, storage, best, 0);
    }

    @Override
    void addAll(GroupedRows rows, RowTable states, int at) {
        if (storage != Storage.LONG) {
            addOneByOne(rows, states, at);
            return;
        }
        boolean[] isNone = states.columns().nulls(at);
        long[] bests = states.columns().longs(at);
        long[] values = rows.columns.longs(argument);
        for (int i = 0; i < rows.count(); i++) {
            int group = rows.groups[i];
            long value = values[rows.rows[i]];
            if (isNone[group] || (smallest ? value < bests[group] : value > bests[group])) {
                bests[group] = value;
                isNone[group] = false;
            }
        }
    }

    private void addOneByOne(GroupedRows rows, RowTable states, int at) {
        for (int i = 0; i < rows.count(); i++) {
            RowView row = rows.row(rows.rows[i]);
            RowView state = states.row(rows.groups[i]);
            int order = state.isNull(at) ? 0 : RowOrder.compare(storage, row, argument, state, at);
            if (state.isNull(at) || (smallest ? order < 0 : order > 0)) {
                states.writeOver(rows.groups[i]).copy(at, storage, row, argument);
                states.written();
            }
        }
    }

    @Override
    int resultColumn() {
        return 0;
    }
}
