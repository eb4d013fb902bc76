/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * One aggregate of a group.
 *
 * @param argument column, or {@link #NO_COLUMN} for COUNT of rows
 * @param second column of the x of an aggregate of pairs, whose argument is y; else {@link #NO_COLUMN}
 * @param distinct whether equal arguments count once
 * @param filter BOOLEAN column that must be TRUE for a row to count, or {@link #NO_COLUMN}
 * @param order of FIRST, ARRAY_AGG and LISTAGG, and of percentiles that count from the largest; else empty
 * @param constant separator of LISTAGG, share of a percentile as a decimal number; else empty
 * @param result type of the result; its digits decide how it is rounded
 */
public record AggregateCall(
        AggregateKind kind,
        int argument,
        int second,
        boolean distinct,
        int filter,
        List<SortColumn> order,
        String constant,
        ColumnType result) {

    public static final int NO_COLUMN = -1;

    public AggregateCall {
        order = List.copyOf(order);
        if (argument == NO_COLUMN && kind != AggregateKind.COUNT) {
            throw new IllegalArgumentException(kind + " without an argument; only COUNT can do without");
        }
        if ((second != NO_COLUMN) != kind.isOfPairs() || (distinct && kind.isOfPairs())) {
            throw new IllegalArgumentException(
                    kind + (kind.isOfPairs() ? " needs pairs, not DISTINCT" : " with a second argument"));
        }
        if (kind == AggregateKind.FIRST && order.isEmpty()) {
            throw new IllegalArgumentException("FIRST without an order; give what comes first");
        }
    }

    /** An aggregate of one column. */
    public static AggregateCall of(AggregateKind kind, int argument, ColumnType result) {
        return new AggregateCall(kind, argument, NO_COLUMN, false, NO_COLUMN, List.of(), "", result);
    }

    /** COUNT(*). */
    public static AggregateCall countRows(ColumnType result) {
        return of(AggregateKind.COUNT, NO_COLUMN, result);
    }

    /** An aggregate of pairs of columns. */
    public static AggregateCall ofPairs(AggregateKind kind, int y, int x, ColumnType result) {
        return new AggregateCall(kind, y, x, false, NO_COLUMN, List.of(), "", result);
    }

    /** The same over the rows in which a BOOLEAN column is TRUE. */
    public AggregateCall where(int column) {
        return new AggregateCall(kind, argument, second, distinct, column, order, constant, result);
    }

    /** The same with equal arguments counted once. */
    public AggregateCall ofDistinct() {
        return new AggregateCall(kind, argument, second, true, filter, order, constant, result);
    }

    /** The same over columns that lie elsewhere. */
    public AggregateCall moved(IntUnaryOperator place) {
        List<SortColumn> moved = order.stream()
                .map(sort -> new SortColumn(place.applyAsInt(sort.column()), sort.descending(), sort.nullsFirst()))
                .toList();
        return new AggregateCall(
                kind,
                move(argument, place),
                move(second, place),
                distinct,
                move(filter, place),
                moved,
                constant,
                result);
    }

    /** Whether it has a result for every group; others may have none that their type can hold. */
    boolean isTotal() {
        return switch (kind) {
            case COUNT, EVERY, SOME, MIN, MAX -> true;
            default -> false;
        };
    }

    /** For people, as SQL. */
    String text() {
        String column = argument == NO_COLUMN ? "*" : ShownSql.column(argument);
        String values = (distinct ? "DISTINCT " : "") + column;
        String ordered = order.isEmpty() ? "" : "ORDER BY " + SortColumn.text(order, null);
        String called =
                switch (kind) {
                    case PERCENTILE_CONT, PERCENTILE_DISC ->
                        kind + "(" + constant + ") WITHIN GROUP (ORDER BY " + values
                                + (ordered.endsWith(" DESC") ? " DESC" : "") + ")";
                    case LISTAGG ->
                        "LISTAGG(" + values + ", " + ShownSql.quoted(constant) + ")"
                                + (ordered.isEmpty() ? "" : " WITHIN GROUP (" + ordered + ")");
                    default ->
                        kind + "(" + values
                                + (second == NO_COLUMN ? "" : ", " + ShownSql.column(second))
                                + (ordered.isEmpty() ? "" : " " + ordered) + ")";
                };
        return called + (filter == NO_COLUMN ? "" : " FILTER (WHERE " + ShownSql.column(filter) + ")");
    }

    /** Calls over groups by some columns, for people. */
    static String text(List<AggregateCall> calls, String group) {
        String all = calls.stream().map(AggregateCall::text).collect(Collectors.joining(", "));
        return (all + (group.isEmpty() ? "" : " GROUP BY " + group)).strip();
    }

    private static int move(int column, IntUnaryOperator place) {
        return column == NO_COLUMN ? NO_COLUMN : place.applyAsInt(column);
    }
}
