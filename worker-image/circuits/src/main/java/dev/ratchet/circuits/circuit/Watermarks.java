/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.Arrays;

/**
 * For each table with a lateness, the smallest value of its time column that may still come. They rise between steps
 * only, so that all worker threads see the same in a step.
 */
public final class Watermarks {

    private final long[] values;

    /** Of a plan with so many tables, none of which has one yet. */
    public Watermarks(int tables) {
        values = new long[tables];
        Arrays.fill(values, Long.MIN_VALUE);
    }

    /** The watermark of the table with this number in the plan; {@link Long#MIN_VALUE} before the first row. */
    public long of(int table) {
        return values[table];
    }

    /** Raises the watermark of a table; a lower one than before changes nothing. Between steps only. */
    public void raise(int table, long least) {
        values[table] = Math.max(values[table], least);
    }
}
