/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.NestedCodec;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate that is read from the group's rows in their order: the smallest is the first of them. Its arrangement
 * holds only rows that count, as {@link #layout} puts them.
 */
final class OrderedAggregate {

    private static final int VALUES_MAX = 10_000_000;

    private final AggregateCall call;
    private final ColumnType type;
    private final int argument;
    private final int resultColumn;
    private final @Nullable Percentile percentile;

    /**
     * @param arranged types of the rows of the call's arrangement as its layout shows them, the argument last
     * @param resultColumn where the result goes
     */
    OrderedAggregate(AggregateCall call, List<ColumnType> arranged, int resultColumn) {
        this.call = call;
        this.argument = arranged.size() - 1;
        this.type = arranged.get(argument);
        this.resultColumn = resultColumn;
        boolean isPercentile =
                call.kind() == AggregateKind.PERCENTILE_CONT || call.kind() == AggregateKind.PERCENTILE_DISC;
        this.percentile = isPercentile ? new Percentile(call, type, argument) : null;
    }

    /** How the call's arrangement lies: the key, then in the order in which the call reads. */
    static OrderedLayout layout(AggregateCall call, List<ColumnType> arranged, int keyCount) {
        List<Integer> key = new ArrayList<>();
        for (int column = 0; column < keyCount; column++) {
            key.add(column);
        }
        List<SortColumn> order = new ArrayList<>();
        for (SortColumn sort : call.order()) {
            order.add(new SortColumn(keyCount + order.size(), sort.descending(), sort.nullsFirst()));
        }
        int argument = arranged.size() - 1;
        order.add(call.kind() == AggregateKind.MAX ? SortColumn.descending(argument) : SortColumn.ascending(argument));
        return new OrderedLayout(arranged, key, order);
    }

    /**
     * Sets the result.
     *
     * @param rows of the group, on the first; invalid where there are none
     * @param view the rows as the layout shows them
     */
    void result(Cursor rows, RowView view, RowWriter out) {
        while (rows.valid() && rows.weight() < 0) {
            rows.next();
        }
        if (!rows.valid()) {
            out.setNull(resultColumn);
            return;
        }
        switch (call.kind()) {
            case MIN, MAX, FIRST -> write(view, out);
            case MODE -> mode(rows, view, out);
            case PERCENTILE_CONT, PERCENTILE_DISC ->
                Objects.requireNonNull(percentile).result(rows, view, out, resultColumn);
            case SINGLE_VALUE -> {
                write(view, out);
                long weight = rows.weight();
                rows.next();
                if (weight > 1 || rows.valid()) {
                    throw new ArithmeticException("A scalar subquery gave more than one row; let it give one, as by an"
                            + " aggregate or a condition on a key");
                }
            }
            case ARRAY_AGG -> {
                byte[] bytes = NestedCodec.encode(call.result(), values(rows, view));
                out.setBytes(resultColumn, bytes, 0, bytes.length);
            }
            default -> {
                StringJoiner joined = new StringJoiner(call.constant());
                values(rows, view).forEach(value -> joined.add(String.valueOf(value)));
                out.setString(resultColumn, joined.toString());
            }
        }
    }

    /** Whether there are groups whose result can not be computed; it is never NULL there. */
    boolean mayFail() {
        return switch (call.kind()) {
            case MIN, MAX, FIRST, MODE -> false;
            default -> true;
        };
    }

    /**
     * Whether an extreme stays as it was because no better row changed, and none that is equal to it went. Then the
     * rows need not be read.
     *
     * @param change the rows of the group that changed, on the first, which is the best of them; invalid where there
     *     are none
     * @param view of the change, as the layout shows it
     * @param before holds the last result in its column
     */
    boolean stays(Cursor change, RowView view, RowView before) {
        if (call.kind() != AggregateKind.MIN && call.kind() != AggregateKind.MAX) {
            return false;
        }
        if (!change.valid()) {
            return true;
        }
        if (before.isNull(resultColumn)) {
            return false;
        }
        int order = RowOrder.compare(type.storage(), before, resultColumn, view, argument);
        boolean isWorse = call.kind() == AggregateKind.MIN ? order < 0 : order > 0;
        return isWorse || (order == 0 && change.weight() > 0);
    }

    /** Takes over the last result. */
    void keep(RowView before, RowWriter out) {
        out.copy(resultColumn, type.storage(), before, resultColumn);
    }

    private void write(RowView view, RowWriter out) {
        if (view.isNull(argument)) {
            out.setNull(resultColumn);
        } else {
            switch (type.storage()) {
                case LONG -> out.setLong(resultColumn, view.longAt(argument));
                case WIDE -> out.setWide(resultColumn, view.highAt(argument), view.longAt(argument));
                case BYTES ->
                    out.setBytes(
                            resultColumn, view.bytesAt(argument), view.offsetAt(argument), view.lengthAt(argument));
            }
        }
    }

    private void mode(Cursor rows, RowView view, RowWriter out) {
        long most = 0;
        for (; rows.valid(); rows.next()) {
            long weight = call.distinct() ? Math.min(1, rows.weight()) : rows.weight();
            if (weight > most) {
                most = weight;
                write(view, out);
            }
        }
    }

    private List<@Nullable Object> values(Cursor rows, RowView view) {
        List<@Nullable Object> values = new ArrayList<>();
        for (; rows.valid(); rows.next()) {
            Object value = ObjectValues.read(type, view, argument);
            long copies = call.distinct() ? Math.min(1, rows.weight()) : rows.weight();
            if (call.distinct() && !values.isEmpty() && Objects.deepEquals(values.getLast(), value)) {
                copies = 0;
            }
            if (copies > VALUES_MAX - values.size()) {
                throw new ArithmeticException(call.kind() + " of more than " + VALUES_MAX + " values; group by more");
            }
            for (long copy = 0; copy < copies; copy++) {
                values.add(value);
            }
        }
        return values;
    }
}
