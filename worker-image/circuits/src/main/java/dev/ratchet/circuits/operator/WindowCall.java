/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import org.jspecify.annotations.Nullable;

/**
 * One column that a window adds to its rows.
 *
 * @param kind what is computed
 * @param argument column of LAG, LEAD and the VALUE functions; else {@link AggregateCall#NO_COLUMN}
 * @param number distance of LAG and LEAD (at least 0), buckets of NTILE, n of NTH_VALUE; else 0
 * @param fallback column that LAG and LEAD take where there is no such row, or {@link AggregateCall#NO_COLUMN} for NULL
 * @param ignoreNulls whether LAG, LEAD and the VALUE functions pass over NULL
 * @param aggregate of AGGREGATE; else null
 * @param frame of AGGREGATE and the VALUE functions
 * @param result type of the column
 */
public record WindowCall(
        WindowKind kind,
        int argument,
        long number,
        int fallback,
        boolean ignoreNulls,
        @Nullable AggregateCall aggregate,
        WindowFrame frame,
        ColumnType result) {

    /** What a window can compute. */
    public enum WindowKind {
        ROW_NUMBER,
        RANK,
        DENSE_RANK,
        PERCENT_RANK,
        CUME_DIST,
        NTILE,
        LAG,
        LEAD,
        FIRST_VALUE,
        LAST_VALUE,
        NTH_VALUE,
        AGGREGATE
    }

    /**
     * For people, as SQL.
     *
     * @param order type of the first order column; null where there is no order
     */
    String text(OrderedLayout layout, @Nullable ColumnType order) {
        String nulls = ignoreNulls ? " IGNORE NULLS" : "";
        String column = ShownSql.column(argument);
        String called =
                switch (kind) {
                    case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> kind + "()";
                    case NTILE -> "NTILE(" + number + ")";
                    case LAG, LEAD ->
                        kind + "(" + column + ", " + number
                                + (fallback == AggregateCall.NO_COLUMN ? "" : ", " + ShownSql.column(fallback)) + ")"
                                + nulls;
                    case FIRST_VALUE, LAST_VALUE -> kind + "(" + column + ")" + nulls;
                    case NTH_VALUE -> "NTH_VALUE(" + column + ", " + number + ")" + nulls;
                    case AGGREGATE -> aggregate == null ? "" : aggregate.text();
                };
        boolean isFramed =
                switch (kind) {
                    case FIRST_VALUE, LAST_VALUE, NTH_VALUE, AGGREGATE -> true;
                    default -> false;
                };
        return called + " " + layout.overText(isFramed ? frame.text(order) : "");
    }

    /** A number of each row: ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK or CUME_DIST. */
    public static WindowCall rank(WindowKind kind, ColumnType result) {
        return new WindowCall(
                kind, AggregateCall.NO_COLUMN, 0, AggregateCall.NO_COLUMN, false, null, WindowFrame.WHOLE, result);
    }

    /** The value of a column some rows before (LAG) or behind (LEAD). */
    public static WindowCall shift(WindowKind kind, int argument, long distance, int fallback, ColumnType result) {
        return new WindowCall(kind, argument, distance, fallback, false, null, WindowFrame.WHOLE, result);
    }

    /** The value of a column at a place of the frame: FIRST_VALUE, LAST_VALUE or NTH_VALUE. */
    public static WindowCall value(WindowKind kind, int argument, long number, WindowFrame frame, ColumnType result) {
        return new WindowCall(kind, argument, number, AggregateCall.NO_COLUMN, false, null, frame, result);
    }

    /** An aggregate over the frame of each row. */
    public static WindowCall over(AggregateCall aggregate, WindowFrame frame) {
        boolean isFramed = aggregate.distinct()
                ? aggregate.kind().isLinear()
                : aggregate.kind().isFramed();
        if (!isFramed) {
            throw new IllegalArgumentException(aggregate.kind() + (aggregate.distinct() ? " DISTINCT" : "")
                    + " in a window; use it with GROUP BY in a subquery, and join");
        }
        return new WindowCall(
                WindowKind.AGGREGATE,
                aggregate.argument(),
                0,
                AggregateCall.NO_COLUMN,
                false,
                aggregate,
                frame,
                aggregate.result());
    }
}
