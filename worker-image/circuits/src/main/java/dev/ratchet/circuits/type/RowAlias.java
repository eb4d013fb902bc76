/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

/**
 * Shows columns of other rows under other numbers and holds nothing itself. Whoever copies columns asks for the row
 * behind and goes there once, instead of through every view in between for each accessor.
 */
public abstract class RowAlias implements RowView {

    /** The row that has a column. */
    public abstract RowView rowOf(int column);

    /** The number of a column in that row. */
    public abstract int columnOf(int column);

    @Override
    public boolean isNull(int column) {
        return rowOf(column).isNull(columnOf(column));
    }

    @Override
    public long longAt(int column) {
        return rowOf(column).longAt(columnOf(column));
    }

    @Override
    public long highAt(int column) {
        return rowOf(column).highAt(columnOf(column));
    }

    @Override
    public byte[] bytesAt(int column) {
        return rowOf(column).bytesAt(columnOf(column));
    }

    @Override
    public int offsetAt(int column) {
        return rowOf(column).offsetAt(columnOf(column));
    }

    @Override
    public int lengthAt(int column) {
        return rowOf(column).lengthAt(columnOf(column));
    }
}
