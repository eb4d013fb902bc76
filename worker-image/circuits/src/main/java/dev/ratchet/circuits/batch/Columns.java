/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/**
 * The columns of rows as the arrays they lie in, for loops over one column of many rows. Rows are numbered as in the
 * arrays; an array may be another one once rows were added. Whoever reads them does not write them, but for the owner
 * of a {@link RowTable}.
 */
public interface Columns {

    /** Which rows have NULL in a column. */
    boolean[] nulls(int column);

    /** The numbers of a LONG column, or the low 64 bits of a WIDE one. */
    long[] longs(int column);

    /** The high 64 bits of a WIDE column. */
    long[] highs(int column);
}
