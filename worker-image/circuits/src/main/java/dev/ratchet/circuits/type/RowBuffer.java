/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.util.Arrays;

/**
 * One row that can be set and read again and again: a probe for a seek, the result of an expression. One thread at a
 * time.
 */
public final class RowBuffer implements RowWriter, RowView {

    private static final byte[] NOTHING = new byte[0];

    private final boolean[] nulls;
    private final long[] lows;
    private final long[] highs;
    private final byte[][] bytes;
    private final int[] lengths;

    /** A row of this many columns; none may be read before it is set. */
    public RowBuffer(int columns) {
        nulls = new boolean[columns];
        lows = new long[columns];
        highs = new long[columns];
        bytes = new byte[columns][];
        lengths = new int[columns];
        Arrays.fill(bytes, NOTHING);
    }

    @Override
    public void setNull(int column) {
        nulls[column] = true;
    }

    @Override
    public void setLong(int column, long value) {
        nulls[column] = false;
        lows[column] = value;
    }

    @Override
    public void setWide(int column, long high, long low) {
        nulls[column] = false;
        highs[column] = high;
        lows[column] = low;
    }

    @Override
    public void setBytes(int column, byte[] source, int offset, int length) {
        nulls[column] = false;
        if (bytes[column].length < length) {
            bytes[column] = new byte[Math.max(length, 16)];
        }
        System.arraycopy(source, offset, bytes[column], 0, length);
        lengths[column] = length;
    }

    @Override
    public boolean isNull(int column) {
        return nulls[column];
    }

    @Override
    public long longAt(int column) {
        return lows[column];
    }

    @Override
    public long highAt(int column) {
        return highs[column];
    }

    @Override
    public byte[] bytesAt(int column) {
        return bytes[column];
    }

    @Override
    public int offsetAt(int column) {
        return 0;
    }

    @Override
    public int lengthAt(int column) {
        return lengths[column];
    }
}
