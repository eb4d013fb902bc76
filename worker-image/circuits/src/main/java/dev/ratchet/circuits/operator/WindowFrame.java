/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a group an aggregate sees from a row.
 *
 * @param byValue whether the bounds are distances of the order column (RANGE) or numbers of rows (ROWS). RANGE with a
 *     bound other than unbounded or 0 needs exactly one order column, of LONG storage, and counts in its unit.
 * @param from the first row: negative before the row, {@link #UNBOUNDED_PRECEDING} from the start
 * @param to the last row: positive behind the row, {@link #UNBOUNDED_FOLLOWING} to the end; 0 in RANGE takes all peers
 */
public record WindowFrame(boolean byValue, long from, long to) {

    public static final long UNBOUNDED_PRECEDING = Long.MIN_VALUE;
    public static final long UNBOUNDED_FOLLOWING = Long.MAX_VALUE;

    /** What SQL takes where an order is given and no frame: from the start to the last peer of the row. */
    public static final WindowFrame TO_CURRENT = new WindowFrame(true, UNBOUNDED_PRECEDING, 0);

    /** What SQL takes without an order: the whole group. */
    public static final WindowFrame WHOLE = new WindowFrame(true, UNBOUNDED_PRECEDING, UNBOUNDED_FOLLOWING);

    /**
     * For people, as SQL.
     *
     * @param order type of the first order column, in whose unit RANGE counts; null where there is no order
     */
    String text(@Nullable ColumnType order) {
        if (order == null ? to == UNBOUNDED_FOLLOWING && from == UNBOUNDED_PRECEDING : equals(TO_CURRENT)) {
            return "";
        }
        return (byValue ? "RANGE" : "ROWS") + " BETWEEN " + text(from, order) + " AND " + text(to, order);
    }

    private String text(long bound, @Nullable ColumnType order) {
        if (bound == UNBOUNDED_PRECEDING) {
            return "UNBOUNDED PRECEDING";
        } else if (bound == UNBOUNDED_FOLLOWING) {
            return "UNBOUNDED FOLLOWING";
        } else if (bound == 0) {
            return "CURRENT ROW";
        }
        long distance = Math.abs(bound);
        return (byValue && order != null ? ShownSql.distance(order, distance) : Long.toString(distance))
                + (bound < 0 ? " PRECEDING" : " FOLLOWING");
    }
}
