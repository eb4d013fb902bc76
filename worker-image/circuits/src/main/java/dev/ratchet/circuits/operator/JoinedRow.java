/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowView;

/** Shows two rows as one. Copies nothing. */
final class JoinedRow extends RowAlias {

    private final boolean[] fromRight;
    private final int[] columns;
    private RowView left = new RowBuffer(0);
    private RowView right = left;

    /**
     * @param leftColumns for the first columns shown, those of the left row
     * @param rightColumns for the columns after them, those of the right row
     */
    JoinedRow(int[] leftColumns, int[] rightColumns) {
        columns = new int[leftColumns.length + rightColumns.length];
        fromRight = new boolean[columns.length];
        for (int i = 0; i < columns.length; i++) {
            fromRight[i] = i >= leftColumns.length;
            columns[i] = fromRight[i] ? rightColumns[i - leftColumns.length] : leftColumns[i];
        }
    }

    JoinedRow of(RowView leftRow, RowView rightRow) {
        left = leftRow;
        right = rightRow;
        return this;
    }

    @Override
    public RowView rowOf(int column) {
        return fromRight[column] ? right : left;
    }

    @Override
    public int columnOf(int column) {
        return columns[column];
    }
}
