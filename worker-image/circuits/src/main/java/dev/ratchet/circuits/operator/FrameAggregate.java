/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.NestedCodec;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate over a frame that only moves on: sums take rows in and out, extremes keep the rows that can still become
 * one, lists are read anew for each row.
 */
final class FrameAggregate {

    private final AggregateCall call;
    private final List<ColumnType> columns;
    private final @Nullable Accumulator sums;
    private final ArrayDeque<Integer> extremes = new ArrayDeque<>();

    /** Of a DISTINCT sum: a row with each value of the frame, and how many rows have it. */
    private final @Nullable TreeMap<RowView, Integer> values;

    private int start;
    private int end;

    FrameAggregate(AggregateCall call, List<ColumnType> columns) {
        this.call = call;
        this.columns = columns;
        this.sums = call.kind().isLinear() ? Accumulator.of(call, columns) : null;
        this.values = call.distinct() ? new TreeMap<>(this::compare) : null;
    }

    void reset() {
        start = 0;
        end = 0;
        extremes.clear();
        if (values != null) {
            values.clear();
        }
        if (sums != null) {
            sums.clear();
        }
    }

    /** Moves to the rows of a frame. */
    void moveTo(Partition partition, int newStart, int newEnd) {
        if (sums != null) {
            moveSums(sums, partition, newStart, newEnd);
        } else if (isExtreme()) {
            moveExtremes(partition, newStart, newEnd);
        }
    }

    private boolean isExtreme() {
        return call.kind() == AggregateKind.MIN || call.kind() == AggregateKind.MAX;
    }

    /**
     * Sets the result of the frame that it was moved to last.
     *
     * @throws ArithmeticException where it does not fit its type
     */
    void result(Partition partition, int newStart, int newEnd, RowWriter out, int column) {
        if (sums != null) {
            sums.result(out, column);
        } else if (isExtreme()) {
            if (extremes.isEmpty()) {
                out.setNull(column);
            } else {
                out.copy(column, type().storage(), partition.row(extremes.getFirst()), call.argument());
            }
        } else {
            list(partition, newStart, newEnd, out, column);
        }
    }

    private ColumnType type() {
        return columns.get(call.argument());
    }

    private void moveSums(Accumulator accumulator, Partition partition, int newStart, int newEnd) {
        if (newStart >= end) {
            reset();
            start = newStart;
            end = newStart;
        }
        for (; end < newEnd; end++) {
            add(accumulator, partition.row(end), 1);
        }
        for (; start < newStart; start++) {
            add(accumulator, partition.row(start), -1);
        }
    }

    /** Of equal values a DISTINCT sum sees the first that comes and the last that goes. */
    private void add(Accumulator accumulator, RowView row, int weight) {
        if (values == null) {
            accumulator.add(row, weight);
        } else if (isWanted(row) && !row.isNull(call.argument())) {
            int rows = values.merge(row, weight, Integer::sum);
            if (rows == 0) {
                values.remove(row);
            }
            if (rows == Math.max(0, weight)) {
                accumulator.add(row, weight);
            }
        }
    }

    private void moveExtremes(Partition partition, int newStart, int newEnd) {
        end = Math.max(end, newStart);
        for (; end < newEnd; end++) {
            RowView row = partition.row(end);
            if (isWanted(row) && !row.isNull(call.argument())) {
                while (!extremes.isEmpty() && !isBetter(partition.row(extremes.getLast()), row)) {
                    extremes.removeLast();
                }
                extremes.addLast(end);
            }
        }
        while (!extremes.isEmpty() && extremes.getFirst() < newStart) {
            extremes.removeFirst();
        }
    }

    private boolean isBetter(RowView row, RowView other) {
        int order = compare(row, other);
        return call.kind() == AggregateKind.MIN ? order < 0 : order > 0;
    }

    private int compare(RowView row, RowView other) {
        return RowOrder.compare(type().storage(), row, call.argument(), other, call.argument());
    }

    private boolean isWanted(RowView row) {
        return call.filter() < 0 || (!row.isNull(call.filter()) && row.longAt(call.filter()) != 0);
    }

    private void list(Partition partition, int from, int to, RowWriter out, int column) {
        List<@Nullable Object> values = new ArrayList<>();
        boolean keepsNulls = call.kind() != AggregateKind.LISTAGG;
        for (int i = from; i < to; i++) {
            RowView row = partition.row(i);
            if (isWanted(row) && (keepsNulls || !row.isNull(call.argument()))) {
                values.add(ObjectValues.read(type(), row, call.argument()));
            }
        }
        if (values.isEmpty()) {
            out.setNull(column);
        } else if (call.kind() == AggregateKind.ARRAY_AGG) {
            byte[] bytes = NestedCodec.encode(call.result(), values);
            out.setBytes(column, bytes, 0, bytes.length);
        } else {
            StringJoiner joined = new StringJoiner(call.constant());
            values.forEach(value -> joined.add(String.valueOf(value)));
            out.setString(column, joined.toString());
        }
    }
}
