/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import java.util.List;

/**
 * One aggregate of a group.
 *
 * @param argument column, or {@link #NO_COLUMN} for COUNT of rows
 * @param distinct whether equal arguments count once
 * @param filter BOOLEAN column that must be TRUE for a row to count, or {@link #NO_COLUMN}
 * @param order of ARRAY_AGG and LISTAGG; else empty
 * @param separator of LISTAGG; else empty
 * @param result type of the result; its digits decide how it is rounded
 */
public record AggregateCall(
        AggregateKind kind,
        int argument,
        boolean distinct,
        int filter,
        List<SortColumn> order,
        String separator,
        ColumnType result) {

    public static final int NO_COLUMN = -1;

    public AggregateCall {
        order = List.copyOf(order);
        if (argument == NO_COLUMN && kind != AggregateKind.COUNT) {
            throw new IllegalArgumentException(kind + " without an argument; only COUNT can do without");
        }
    }

    /** An aggregate of one column. */
    public static AggregateCall of(AggregateKind kind, int argument, ColumnType result) {
        return new AggregateCall(kind, argument, false, NO_COLUMN, List.of(), "", result);
    }

    /** COUNT(*). */
    public static AggregateCall countRows(ColumnType result) {
        return of(AggregateKind.COUNT, NO_COLUMN, result);
    }

    /** The same over the rows in which a BOOLEAN column is TRUE. */
    public AggregateCall where(int column) {
        return new AggregateCall(kind, argument, distinct, column, order, separator, result);
    }

    /** The same with equal arguments counted once. */
    public AggregateCall ofDistinct() {
        return new AggregateCall(kind, argument, true, filter, order, separator, result);
    }
}
