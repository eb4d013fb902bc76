/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values as Java objects, for the edges where rows come in and go out; never on the way between. NULL is null, BOOLEAN
 * a {@link Boolean}, integers a {@link Long}, REAL and DOUBLE a {@link Double}, DECIMAL a {@link BigDecimal} of the
 * type's scale, VARCHAR a {@link String}, VARBINARY a {@code byte[]}, DATE, TIME and TIMESTAMP a {@link LocalDate},
 * {@link LocalTime} and {@link LocalDateTime}, intervals a {@link Period} of months and a {@link Duration}, ARRAY and
 * STRUCT a {@link java.util.List}, MAP a {@link java.util.Map}.
 */
public final class ObjectValues {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private ObjectValues() {}

    /**
     * Sets a column.
     *
     * @throws IllegalArgumentException where the object is not a value of the type
     * @throws ArithmeticException where a number does not fit the type
     */
    public static void write(ColumnType type, @Nullable Object value, RowWriter row, int column) {
        if (value == null) {
            if (!type.nullable()) {
                throw new IllegalArgumentException("NULL in column " + column + " of type " + type);
            }
            row.setNull(column);
            return;
        }
        switch (type.kind()) {
            case VARCHAR -> row.setString(column, (String) value);
            case VARBINARY -> writeBytes((byte[]) value, row, column);
            case ARRAY, MAP, STRUCT -> writeBytes(NestedCodec.encode(type, value), row, column);
            case DECIMAL -> {
                BigInteger unscaled = Wide.unscaled((BigDecimal) value, type);
                if (type.storage() == Storage.LONG) {
                    row.setLong(column, unscaled.longValueExact());
                } else {
                    row.setWide(column, Wide.high(unscaled), Wide.low(unscaled));
                }
            }
            default -> row.setLong(column, toLong(type, value));
        }
    }

    private static void writeBytes(byte[] bytes, RowWriter row, int column) {
        row.setBytes(column, bytes, 0, bytes.length);
    }

    /** Reads a column. */
    public static @Nullable Object read(ColumnType type, RowView row, int column) {
        if (row.isNull(column)) {
            return null;
        }
        return switch (type.kind()) {
            case VARCHAR -> row.stringAt(column);
            case VARBINARY ->
                Arrays.copyOfRange(
                        row.bytesAt(column), row.offsetAt(column), row.offsetAt(column) + row.lengthAt(column));
            case ARRAY, MAP, STRUCT ->
                NestedCodec.decode(type, row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
            case DECIMAL ->
                type.storage() == Storage.LONG
                        ? BigDecimal.valueOf(row.longAt(column), type.scale())
                        : new BigDecimal(Wide.toBigInteger(row.highAt(column), row.longAt(column)), type.scale());
            default -> fromLong(type, row.longAt(column));
        };
    }

    /** The stored number of a value of LONG storage other than a DECIMAL. */
    static long toLong(ColumnType type, Object value) {
        return switch (type.kind()) {
            case BOOLEAN -> (Boolean) value ? 1 : 0;
            case TINYINT -> inRange((Long) value, Byte.MIN_VALUE, Byte.MAX_VALUE, type);
            case SMALLINT -> inRange((Long) value, Short.MIN_VALUE, Short.MAX_VALUE, type);
            case INTEGER -> inRange((Long) value, Integer.MIN_VALUE, Integer.MAX_VALUE, type);
            case BIGINT -> (Long) value;
            case REAL -> OrderedDouble.encode(((Double) value).floatValue());
            case DOUBLE -> OrderedDouble.encode((Double) value);
            case DATE -> ((LocalDate) value).toEpochDay();
            case TIME -> ((LocalTime) value).toNanoOfDay() / 1000;
            case TIMESTAMP -> {
                LocalDateTime time = (LocalDateTime) value;
                long days = Math.multiplyExact(time.toLocalDate().toEpochDay(), MICROS_PER_DAY);
                yield Math.addExact(days, time.toLocalTime().toNanoOfDay() / 1000);
            }
            case INTERVAL_MONTHS -> ((Period) value).toTotalMonths();
            case INTERVAL_MICROS -> {
                Duration duration = (Duration) value;
                long seconds = Math.multiplyExact(duration.getSeconds(), MICROS_PER_SECOND);
                yield Math.addExact(seconds, duration.getNano() / 1000);
            }
            default -> throw new IllegalArgumentException(type + " is not stored as one number");
        };
    }

    private static long inRange(long value, long least, long most, ColumnType type) {
        if (value < least || value > most) {
            throw new ArithmeticException(value + " does not fit " + type + "; declare a wider integer");
        }
        return value;
    }

    static Object fromLong(ColumnType type, long value) {
        return switch (type.kind()) {
            case BOOLEAN -> value != 0;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> value;
            case REAL, DOUBLE -> OrderedDouble.decode(value);
            case DATE -> LocalDate.ofEpochDay(value);
            case TIME -> LocalTime.ofNanoOfDay(value * 1000);
            case TIMESTAMP ->
                LocalDateTime.ofEpochSecond(
                        Math.floorDiv(value, MICROS_PER_SECOND),
                        (int) Math.floorMod(value, MICROS_PER_SECOND) * 1000,
                        ZoneOffset.UTC);
            case INTERVAL_MONTHS -> Period.ofMonths((int) value);
            case INTERVAL_MICROS -> Duration.of(value, ChronoUnit.MICROS);
            default -> throw new IllegalArgumentException(type + " is not stored as one number");
        };
    }
}
