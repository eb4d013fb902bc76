/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import dev.ratchet.circuits.type.Wide;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Numbers of columns as exact numbers and back, rounded once to the digits of the column. */
final class Numbers {

    private Numbers() {}

    static boolean isFloating(ColumnType type) {
        return type.kind() == TypeKind.DOUBLE || type.kind() == TypeKind.REAL;
    }

    /** The value of an exact column without its point. */
    static BigInteger unscaledAt(ColumnType type, RowView row, int column) {
        return type.storage() == Storage.WIDE
                ? Wide.toBigInteger(row.highAt(column), row.longAt(column))
                : BigInteger.valueOf(row.longAt(column));
    }

    /**
     * Sets a column to a number: rounded half up for a DECIMAL, towards zero for integers, to the nearest for doubles.
     *
     * @throws ArithmeticException where it does not fit
     */
    static void write(ColumnType type, BigDecimal value, String what, RowWriter out, int column) {
        if (isFloating(type)) {
            writeDouble(type, value.doubleValue(), out, column);
            return;
        }
        RoundingMode rounding = type.kind() == TypeKind.DECIMAL ? RoundingMode.HALF_UP : RoundingMode.DOWN;
        BigInteger unscaled = value.setScale(type.scale(), rounding).unscaledValue();
        if (!fits(type, unscaled)) {
            throw new ArithmeticException(what + " is " + value.toPlainString() + ", which does not fit "
                    + type.withNullable(true) + "; cast the argument to a wider type");
        }
        if (type.storage() == Storage.WIDE) {
            out.setWide(column, Wide.high(unscaled), Wide.low(unscaled));
        } else {
            out.setLong(column, unscaled.longValueExact());
        }
    }

    static void writeDouble(ColumnType type, double value, RowWriter out, int column) {
        out.setDouble(column, type.kind() == TypeKind.REAL ? (float) value : value);
    }

    private static boolean fits(ColumnType type, BigInteger unscaled) {
        return switch (type.kind()) {
            case DECIMAL -> new BigDecimal(unscaled).precision() <= type.precision();
            case TINYINT -> unscaled.bitLength() < Byte.SIZE;
            case SMALLINT -> unscaled.bitLength() < Short.SIZE;
            case INTEGER -> unscaled.bitLength() < Integer.SIZE;
            default -> unscaled.bitLength() < Long.SIZE;
        };
    }
}
