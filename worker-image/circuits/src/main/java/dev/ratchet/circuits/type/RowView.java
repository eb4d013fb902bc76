/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.nio.charset.StandardCharsets;

/**
 * Reads the columns of one row without an object per value. Columns are numbered as in the row's {@link RowSchema}; an
 * accessor is called only for the {@link Storage} of the column, and its answer for a NULL is undefined. What the
 * accessors return is valid until the row behind the view changes. One thread at a time.
 */
public interface RowView {

    boolean isNull(int column);

    /** The number of a LONG column, or the low 64 bits of a WIDE one. */
    long longAt(int column);

    /** The high 64 bits of a WIDE column. */
    long highAt(int column);

    /** The array that holds the bytes of a BYTES column, at {@link #offsetAt}; not to be written. */
    byte[] bytesAt(int column);

    int offsetAt(int column);

    int lengthAt(int column);

    /** The number of a DOUBLE or REAL column. */
    default double doubleAt(int column) {
        return OrderedDouble.decode(longAt(column));
    }

    /** The text of a VARCHAR column, in a new string. */
    default String stringAt(int column) {
        return new String(bytesAt(column), offsetAt(column), lengthAt(column), StandardCharsets.UTF_8);
    }
}
