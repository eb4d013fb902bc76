/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.time.LocalDate;

/**
 * Values as most are written, from their bytes into columns without an object in between: numbers of up to 18 digits
 * without an exponent, dates and times at full length, text. Whatever is written otherwise, or wrong, is declined by
 * returning false, for {@link JsonValues} to decide about. What both read they read alike. Stateless.
 */
final class PlainValues {

    private static final int DIGITS_MAX = 18;

    /** Digits that a double holds exactly, so that one division rounds once. */
    private static final int DOUBLE_DIGITS_MAX = 15;

    private static final int DATE_LENGTH = 10;
    private static final int TIME_LENGTH = 8;
    private static final int FRACTION_MAX = 6;
    private static final long[] POWERS = powers();

    private PlainValues() {}

    private static long[] powers() {
        long[] powers = new long[DIGITS_MAX + 1];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = powers[i - 1] * 10;
        }
        return powers;
    }

    /** Sets a column from a text in UTF-8. */
    static boolean setText(ColumnType type, byte[] bytes, int from, int to, RowWriter row, int column) {
        switch (type.kind()) {
            case VARCHAR -> row.setBytes(column, bytes, from, to - from);
            case DATE -> {
                long days = to - from == DATE_LENGTH ? days(bytes, from) : -1;
                row.setLong(column, days);
                return days >= 0;
            }
            case TIME -> {
                long micros = micros(bytes, from, to);
                row.setLong(column, micros);
                return micros >= 0;
            }
            case TIMESTAMP -> {
                int time = from + DATE_LENGTH + 1;
                long days = time < to && (bytes[time - 1] == ' ' || bytes[time - 1] == 'T') ? days(bytes, from) : -1;
                long micros = days < 0 ? -1 : micros(bytes, time, to);
                row.setLong(column, days * TimeText.MICROS_PER_DAY + micros);
                return micros >= 0;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Days from 1970 of a date of {@value #DATE_LENGTH} bytes; −1 where it is none, or earlier. */
    private static long days(byte[] bytes, int from) {
        int year = digits(bytes, from, 2) * 100 + digits(bytes, from + 2, 2);
        int month = digits(bytes, from + 5, 2);
        int day = digits(bytes, from + 8, 2);
        if (bytes[from + 4] != '-' || bytes[from + 7] != '-' || year < 1970 || month < 1 || month > 12 || day < 1) {
            return -1;
        }
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        int length = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
        return day > length ? -1 : LocalDate.of(year, month, day).toEpochDay();
    }

    /** Microseconds of {@code HH:MM:SS[.f]}; −1 where it is written otherwise. */
    private static long micros(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < TIME_LENGTH || bytes[from + 2] != ':' || bytes[from + 5] != ':') {
            return -1;
        }
        int hour = digits(bytes, from, 2);
        int minute = digits(bytes, from + 3, 2);
        int second = digits(bytes, from + 6, 2);
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
            return -1;
        }
        long micros = ((hour * 60L + minute) * 60 + second) * POWERS[FRACTION_MAX];
        if (length == TIME_LENGTH) {
            return micros;
        }
        int count = length - TIME_LENGTH - 1;
        if (bytes[from + TIME_LENGTH] != '.' || count < 1 || count > FRACTION_MAX) {
            return -1;
        }
        int fraction = digits(bytes, from + TIME_LENGTH + 1, count);
        return fraction < 0 ? -1 : micros + fraction * POWERS[FRACTION_MAX - count];
    }

    /** A number of up to 6 digits, or one far below 0 where a byte is none. */
    private static int digits(byte[] bytes, int from, int count) {
        int number = 0;
        for (int i = from; i < from + count; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1_000_000;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Sets a column from what stands there without quotes, NULL excepted. */
    static boolean setLiteral(ColumnType type, byte[] bytes, int from, int to, RowWriter row, int column) {
        return switch (type.kind()) {
            case BOOLEAN -> setBoolean(bytes, from, to, row, column);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE ->
                setNumber(type, bytes, from, to, row, column);
            default -> false;
        };
    }

    private static boolean setBoolean(byte[] bytes, int from, int to, RowWriter row, int column) {
        boolean isTrue = is(bytes, from, to, "true");
        row.setLong(column, isTrue ? 1 : 0);
        return isTrue || is(bytes, from, to, "false");
    }

    /** Whether these bytes are a word. */
    static boolean is(byte[] bytes, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (bytes[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean setNumber(ColumnType type, byte[] bytes, int from, int to, RowWriter row, int column) {
        boolean negative = from < to && bytes[from] == '-';
        int at = negative ? from + 1 : from;
        boolean leadingZero = at + 1 < to && bytes[at] == '0' && bytes[at + 1] != '.';
        long number = 0;
        int first = at;
        int point = -1;
        for (; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                number = number * 10 + digit;
            } else if (bytes[at] == '.' && point < 0) {
                point = at;
            } else {
                return false;
            }
        }
        int digits = to - first - (point < 0 ? 0 : 1);
        int fraction = point < 0 ? 0 : to - point - 1;
        if (leadingZero || digits < 1 || digits > DIGITS_MAX || point == first || point == to - 1) {
            return false;
        }
        return set(type, negative ? -number : number, digits, fraction, row, column);
    }

    /** Sets a number of so many digits, of which {@code fraction} stand behind the point. */
    private static boolean set(ColumnType type, long number, int digits, int fraction, RowWriter row, int column) {
        if (type.kind() == TypeKind.DECIMAL) {
            return setDecimal(type, number, digits, fraction, row, column);
        }
        if (type.kind() == TypeKind.DOUBLE || type.kind() == TypeKind.REAL) {
            double value = (double) number / POWERS[fraction];
            row.setDouble(column, type.kind() == TypeKind.REAL ? (float) value : value);
            return digits <= DOUBLE_DIGITS_MAX;
        }
        int bits =
                switch (type.kind()) {
                    case TINYINT -> 7;
                    case SMALLINT -> 15;
                    case INTEGER -> 31;
                    default -> 63;
                };
        row.setLong(column, number);
        return fraction == 0 && number >> bits == number >> 63;
    }

    private static boolean setDecimal(
            ColumnType type, long number, int digits, int fraction, RowWriter row, int column) {
        int more = type.scale() - fraction;
        if (more < 0 || digits + more > Math.min(DIGITS_MAX, type.precision())) {
            return false;
        }
        long unscaled = number * POWERS[more];
        if (type.storage() == Storage.LONG) {
            row.setLong(column, unscaled);
        } else {
            row.setWide(column, unscaled >> 63, unscaled);
        }
        return true;
    }
}
