/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;

/** Sets the columns of rows that are their own; those that they share with other rows have their values already. */
final class AddedColumns implements RowWriter {

    private final RowVectors rows;
    private final boolean[] isOwn;

    /** @param from for each column its number in the other rows, or under 0 where it is their own */
    AddedColumns(RowVectors rows, int[] from) {
        this.rows = rows;
        this.isOwn = new boolean[from.length];
        for (int column = 0; column < from.length; column++) {
            isOwn[column] = from[column] < 0;
        }
    }

    @Override
    public void setNull(int column) {
        if (isOwn[column]) {
            rows.setNull(column);
        }
    }

    @Override
    public void setLong(int column, long value) {
        if (isOwn[column]) {
            rows.setLong(column, value);
        }
    }

    @Override
    public void setWide(int column, long high, long low) {
        if (isOwn[column]) {
            rows.setWide(column, high, low);
        }
    }

    @Override
    public void setBytes(int column, byte[] source, int offset, int length) {
        if (isOwn[column]) {
            rows.setBytes(column, source, offset, length);
        }
    }

    @Override
    public void copy(int column, Storage storage, RowView row, int from) {
        if (isOwn[column]) {
            rows.copy(column, storage, row, from);
        }
    }
}
