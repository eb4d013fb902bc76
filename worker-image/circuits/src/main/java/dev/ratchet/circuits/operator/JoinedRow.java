/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowView;

/** Shows two rows as one. Copies nothing. */
final class JoinedRow implements RowView {

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

    private RowView side(int column) {
        return fromRight[column] ? right : left;
    }

    @Override
    public boolean isNull(int column) {
        return side(column).isNull(columns[column]);
    }

    @Override
    public long longAt(int column) {
        return side(column).longAt(columns[column]);
    }

    @Override
    public long highAt(int column) {
        return side(column).highAt(columns[column]);
    }

    @Override
    public byte[] bytesAt(int column) {
        return side(column).bytesAt(columns[column]);
    }

    @Override
    public int offsetAt(int column) {
        return side(column).offsetAt(columns[column]);
    }

    @Override
    public int lengthAt(int column) {
        return side(column).lengthAt(columns[column]);
    }
}
