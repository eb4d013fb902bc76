/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.NestedCodec;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Wide;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes columns for generated code, where that takes more than one expression. Called by generated code. */
public final class RowAccess {

    private RowAccess() {}

    public static BigDecimal decimal(RowView row, int column, int scale) {
        return new BigDecimal(Wide.toBigInteger(row.highAt(column), row.longAt(column)), scale);
    }

    public static byte[] bytes(RowView row, int column) {
        int from = row.offsetAt(column);
        return Arrays.copyOfRange(row.bytesAt(column), from, from + row.lengthAt(column));
    }

    public static List<?> list(RowView row, int column, ColumnType type) {
        return (List<?>) NestedCodec.decode(type, row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
    }

    public static Map<?, ?> map(RowView row, int column, ColumnType type) {
        return (Map<?, ?>) NestedCodec.decode(type, row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
    }

    /**
     * Sets a DECIMAL column, rounded half away from zero to its scale.
     *
     * @throws ArithmeticException where it has more digits than the column
     */
    public static void setDecimal(RowWriter row, int column, BigDecimal value, int precision, int scale) {
        BigDecimal rounded = value.setScale(scale, RoundingMode.HALF_UP);
        if (rounded.precision() > precision) {
            throw new ArithmeticException(value.toPlainString() + " does not fit DECIMAL(" + precision + ", " + scale
                    + "); cast to a type with more digits");
        }
        BigInteger unscaled = rounded.unscaledValue();
        if (precision <= ColumnType.LONG_PRECISION_MAX) {
            row.setLong(column, unscaled.longValue());
        } else {
            row.setWide(column, Wide.high(unscaled), Wide.low(unscaled));
        }
    }

    public static void setNested(RowWriter row, int column, ColumnType type, Object value) {
        byte[] bytes = NestedCodec.encode(type, value);
        row.setBytes(column, bytes, 0, bytes.length);
    }

    /** The object that stands for a stored number inside nested values. */
    public static Object toObject(ColumnType type, long value) {
        RowBuffer row = new RowBuffer(1);
        row.setLong(0, value);
        Object object = ObjectValues.read(type, row, 0);
        if (object == null) {
            throw new IllegalStateException("NULL from a number of " + type);
        }
        return object;
    }

    /** The stored number of an object inside nested values. */
    public static long toLong(ColumnType type, Object value) {
        RowBuffer row = new RowBuffer(1);
        ObjectValues.write(type, value, row, 0);
        return row.longAt(0);
    }

    public static List<@Nullable Object> listOf(@Nullable Object[] items) {
        return Collections.unmodifiableList(Arrays.asList(items));
    }

    public static Map<@Nullable Object, @Nullable Object> mapOf(@Nullable Object[] keysAndValues) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** What a function of the program that has failed is told as. */
    public static ArithmeticException failed(String function, Exception cause) {
        ArithmeticException failure = new ArithmeticException("The function " + function + " threw " + cause);
        failure.initCause(cause);
        return failure;
    }
}
