/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;

/** Shows a row with its columns in another order, or some of them, or some twice. Copies nothing. */
final class MappedRow implements RowView {

    private final int[] columns;
    private RowView row;

    /** @param columns for each column shown, that of the row */
    MappedRow(int[] columns, RowView row) {
        this.columns = columns;
        this.row = row;
    }

    MappedRow of(RowView wanted) {
        row = wanted;
        return this;
    }

    @Override
    public boolean isNull(int column) {
        return row.isNull(columns[column]);
    }

    @Override
    public long longAt(int column) {
        return row.longAt(columns[column]);
    }

    @Override
    public long highAt(int column) {
        return row.highAt(columns[column]);
    }

    @Override
    public byte[] bytesAt(int column) {
        return row.bytesAt(columns[column]);
    }

    @Override
    public int offsetAt(int column) {
        return row.offsetAt(columns[column]);
    }

    @Override
    public int lengthAt(int column) {
        return row.lengthAt(columns[column]);
    }
}
