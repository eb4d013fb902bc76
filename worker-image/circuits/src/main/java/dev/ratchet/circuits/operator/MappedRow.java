/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowView;

/** Shows a row with its columns in another order, or some of them, or some twice. Copies nothing. */
final class MappedRow extends RowAlias {

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
    public RowView rowOf(int column) {
        return row;
    }

    @Override
    public int columnOf(int column) {
        return columns[column];
    }
}
