/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

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
}
