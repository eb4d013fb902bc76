/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.math.BigInteger;

/**
 * The one 64-bit hash of rows, pinned by golden vectors because it decides which worker owns a key. Rows that SQL calls
 * equal hash equal: integers and decimals by numeric value (1 = 1.0 = 1.00, whatever the precision), doubles as
 * {@link OrderedDouble} (one zero, one NaN), text and bytes by content, nested values by their canonical bytes, NULL as
 * itself. Exact numbers and doubles of equal value hash apart; a plan that compares them casts first. The lanes are
 * those of XXH64, folded column by column.
 */
public final class RowHash {

    /** Names this function in files and layouts. A change of any result needs a new number. */
    public static final int ID = 1;

    private static final long NULL_LANE = 0x6E756C6C6E756C6CL;
    private static final BigInteger TEN = BigInteger.TEN;

    private RowHash() {}

    /** The state before the first column. */
    public static long start() {
        return XxHash64.PRIME_5;
    }

    public static long nullColumn(long state) {
        return Long.rotateLeft(state ^ NULL_LANE, 11) * XxHash64.PRIME_1;
    }

    public static long longColumn(long state, long value) {
        return XxHash64.lane(state, value);
    }

    public static long bytesColumn(long state, byte[] bytes, int offset, int length) {
        return XxHash64.lane(state, XxHash64.hash(bytes, offset, length, 0));
    }

    public static long decimalColumn(long state, long unscaled, int scale) {
        long value = unscaled;
        int digits = value == 0 ? 0 : scale;
        while (digits > 0 && value % 10 == 0) {
            value /= 10;
            digits--;
        }
        long next = XxHash64.lane(state, value);
        return digits == 0 ? next : XxHash64.lane(next, digits);
    }

    public static long wideDecimalColumn(long state, long high, long low, int scale) {
        if (high == low >> 63) {
            return decimalColumn(state, low, scale);
        }
        BigInteger value = Wide.toBigInteger(high, low);
        int digits = scale;
        while (digits > 0) {
            BigInteger[] parts = value.divideAndRemainder(TEN);
            if (parts[1].signum() != 0) {
                break;
            }
            value = parts[0];
            digits--;
        }
        if (value.bitLength() < 64) {
            return decimalColumn(state, value.longValue(), digits);
        }
        long next = XxHash64.lane(XxHash64.lane(state, Wide.low(value)), Wide.high(value));
        return digits == 0 ? next : XxHash64.lane(next, digits);
    }

    /** The hash, from the state after the last column. */
    public static long finish(long state) {
        return XxHash64.avalanche(state);
    }

    /** The state after one more column of a row. */
    public static long column(long state, ColumnType type, RowView row, int column) {
        if (row.isNull(column)) {
            return nullColumn(state);
        }
        return switch (type.storage()) {
            case LONG ->
                type.scale() == 0
                        ? longColumn(state, row.longAt(column))
                        : decimalColumn(state, row.longAt(column), type.scale());
            case WIDE -> wideDecimalColumn(state, row.highAt(column), row.longAt(column), type.scale());
            case BYTES -> bytesColumn(state, row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
        };
    }

    /**
     * The hash of all columns of a row, as they are stored, under a key that every byte is mixed with. It is not
     * {@link #ofKey}, which places rows and has no key.
     */
    public static long keyed(long key, RowSchema schema, RowView row) {
        long state = XxHash64.avalanche(key ^ XxHash64.PRIME_5);
        for (int column = 0; column < schema.columnCount(); column++) {
            if (row.isNull(column)) {
                state = nullColumn(state);
                continue;
            }
            state = switch (schema.column(column).storage()) {
                case LONG -> XxHash64.lane(state, row.longAt(column));
                case WIDE -> XxHash64.lane(XxHash64.lane(state, row.longAt(column)), row.highAt(column));
                case BYTES ->
                    XxHash64.lane(
                            state,
                            XxHash64.hash(row.bytesAt(column), row.offsetAt(column), row.lengthAt(column), state));
            };
        }
        return finish(state);
    }

    /** The hash of the key of a row: of columns 0 to {@code schema.keyCount()}. */
    public static long ofKey(RowSchema schema, RowView row) {
        long state = start();
        for (int column = 0; column < schema.keyCount(); column++) {
            state = column(state, schema.key().get(column), row, column);
        }
        return finish(state);
    }
}
