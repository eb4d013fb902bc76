/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.type.RowView;

/**
 * Keeps the rows whose column is NULL or at least a bound that only rises: state behind a watermark is let go. The
 * column is one of key or value with LONG storage. One thread at a time.
 */
public final class WatermarkRetention implements RowPredicate {

    private final int column;
    private long bound = Long.MIN_VALUE;

    public WatermarkRetention(int column) {
        this.column = column;
    }

    /** Raises the bound; a lower one than before changes nothing. */
    public void advance(long least) {
        bound = Math.max(bound, least);
    }

    public long bound() {
        return bound;
    }

    @Override
    public boolean test(RowView row) {
        return row.isNull(column) || row.longAt(column) >= bound;
    }
}
