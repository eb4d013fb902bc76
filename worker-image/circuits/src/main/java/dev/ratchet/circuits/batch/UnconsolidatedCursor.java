/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;
import org.jspecify.annotations.Nullable;

/** Walks {@link UnconsolidatedRows}, as they came or in an order. */
public final class UnconsolidatedCursor implements RowWalk {

    private final RowVectors rows;
    private final int @Nullable [] order;
    private final int end;
    private int at;
    private int row;

    UnconsolidatedCursor(RowVectors rows, int @Nullable [] order, int from, int to) {
        this.rows = rows;
        this.order = order;
        this.at = from;
        this.end = to;
        settle();
    }

    private void settle() {
        row = order == null || at >= end ? at : order[at];
    }

    @Override
    public boolean valid() {
        return at < end;
    }

    @Override
    public void next() {
        at++;
        settle();
    }

    @Override
    public long hash() {
        return rows.hashes[row];
    }

    @Override
    public long weight() {
        return rows.weights[row];
    }

    /** A view of the row it stands on that stays there. */
    public RowView here() {
        UnconsolidatedCursor here = new UnconsolidatedCursor(rows, null, 0, 0);
        here.row = row;
        return here;
    }

    RowVectors rows() {
        return rows;
    }

    int row() {
        return row;
    }

    /** Stands on a row by its number in the arrays, for whoever does not walk. */
    public void show(int number) {
        row = number;
    }

    @Override
    public boolean isNull(int column) {
        return rows.nulls[column][row];
    }

    @Override
    public long longAt(int column) {
        return rows.lows[column][row];
    }

    @Override
    public long highAt(int column) {
        return rows.highs[column][row];
    }

    @Override
    public byte[] bytesAt(int column) {
        return rows.pools[column];
    }

    @Override
    public int offsetAt(int column) {
        return rows.starts[column][row];
    }

    @Override
    public int lengthAt(int column) {
        return rows.lengths[column][row];
    }
}
