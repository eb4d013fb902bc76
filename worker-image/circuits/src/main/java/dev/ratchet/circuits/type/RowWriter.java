/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.nio.charset.StandardCharsets;

/**
 * Writes the columns of one row without an object per value. Every column is set exactly once per row, by the method
 * for its {@link Storage} or by {@link #setNull}. One thread at a time.
 */
public interface RowWriter {

    void setNull(int column);

    /** Sets a LONG column. */
    void setLong(int column, long value);

    /** Sets a WIDE column. */
    void setWide(int column, long high, long low);

    /** Sets a BYTES column to a copy of the given bytes. */
    void setBytes(int column, byte[] source, int offset, int length);

    /** Sets a DOUBLE or REAL column; every NaN becomes the one NaN and −0.0 becomes 0.0. */
    default void setDouble(int column, double value) {
        setLong(column, OrderedDouble.encode(value));
    }

    /** Sets a VARCHAR column. */
    default void setString(int column, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        setBytes(column, utf8, 0, utf8.length);
    }

    /** Copies a column of another row that has the same storage. */
    default void copy(int column, Storage storage, RowView row, int from) {
        if (row.isNull(from)) {
            setNull(column);
            return;
        }
        switch (storage) {
            case LONG -> setLong(column, row.longAt(from));
            case WIDE -> setWide(column, row.highAt(from), row.longAt(from));
            case BYTES -> setBytes(column, row.bytesAt(from), row.offsetAt(from), row.lengthAt(from));
        }
    }
}
