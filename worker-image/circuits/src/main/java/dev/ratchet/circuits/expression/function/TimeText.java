/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates and times as text, the one form for casts, inputs and outputs: {@code 2026-11-21}, {@code 12:30:00[.5]}, both
 * with a space between, and intervals by ISO 8601. Values are numbers as rows store them: days, or microseconds. Casts
 * also take what ends early, {@code 12:30} or a date for its midnight, which in input is more likely a mistake.
 */
public final class TimeText {

    public static final long MICROS_PER_DAY = 86_400_000_000L;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int LENGTH_MAX = 64;
    private static final String TIME_FORM = "HH:MM:SS[.f]";
    private static final String TIMESTAMP_FORM = "YYYY-MM-DD " + TIME_FORM;

    private static final Pattern TIMESTAMP = Pattern.compile("([^ T]+)(?:[ T](.+))?");
    private static final Pattern TO_SECONDS = Pattern.compile("(.*\\D)?\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?");
    private static final Pattern MONTHS = Pattern.compile("(-?)P(?:(-?\\d{1,9})Y)?(?:(-?\\d{1,9})M)?");

    private TimeText() {}

    public static String date(long days) {
        return LocalDate.ofEpochDay(days).toString();
    }

    private static void appendDate(StringBuilder text, long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        int year = date.getYear();
        if (year < 1000 || year > 9999) {
            text.append(date);
            return;
        }
        text.append(year).append('-');
        appendTwo(text, date.getMonthValue()).append('-');
        appendTwo(text, date.getDayOfMonth());
    }

    public static String time(long micros) {
        StringBuilder text = new StringBuilder("HH:MM:SS.ffffff".length());
        appendTime(text, micros);
        return text.toString();
    }

    private static void appendTime(StringBuilder text, long micros) {
        if (micros < 0 || micros >= MICROS_PER_DAY) {
            throw new DateTimeException(micros + " microseconds are no time of a day");
        }
        long seconds = micros / MICROS_PER_SECOND;
        appendTwo(text, seconds / 3600).append(':');
        appendTwo(text, seconds / 60 % 60).append(':');
        appendTwo(text, seconds % 60);
        long fraction = micros % MICROS_PER_SECOND;
        if (fraction > 0) {
            text.append('.');
        }
        for (long unit = MICROS_PER_SECOND / 10; fraction > 0; unit /= 10) {
            text.append((char) ('0' + fraction / unit));
            fraction %= unit;
        }
    }

    private static StringBuilder appendTwo(StringBuilder text, long number) {
        return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    public static String timestamp(long micros) {
        StringBuilder text = new StringBuilder("YYYY-MM-DD HH:MM:SS.ffffff".length());
        appendDate(text, Math.floorDiv(micros, MICROS_PER_DAY));
        appendTime(text.append(' '), Math.floorMod(micros, MICROS_PER_DAY));
        return text.toString();
    }

    public static String months(long months) {
        return months == 0 ? "P0M" : Period.ofMonths((int) months).normalized().toString();
    }

    public static String micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS).toString();
    }

    public static long toDate(String text) {
        try {
            return LocalDate.parse(limited(text)).toEpochDay();
        } catch (DateTimeException e) {
            throw bad(text, "DATE", "YYYY-MM-DD");
        }
    }

    public static long toTime(String text) {
        try {
            return micros(limited(text));
        } catch (DateTimeException e) {
            throw bad(text, "TIME", TIME_FORM);
        }
    }

    /** The value of a time in input, which says its seconds. */
    public static long inputTime(String text) {
        long micros = toTime(text);
        if (!saysSeconds(text)) {
            throw bad(text, "TIME", TIME_FORM);
        }
        return micros;
    }

    /** The value of a timestamp in input, which says its seconds. */
    public static long inputTimestamp(String text) {
        long micros = toTimestamp(text);
        if (!saysSeconds(text)) {
            throw bad(text, "TIMESTAMP", TIMESTAMP_FORM);
        }
        return micros;
    }

    private static boolean saysSeconds(String text) {
        return TO_SECONDS.matcher(text.strip()).matches();
    }

    public static long toTimestamp(String text) {
        Matcher parts = TIMESTAMP.matcher(limited(text));
        if (!parts.matches()) {
            throw bad(text, "TIMESTAMP", TIMESTAMP_FORM);
        }
        try {
            long days = LocalDate.parse(parts.group(1)).toEpochDay();
            long micros = parts.group(2) == null ? 0 : micros(parts.group(2));
            return Math.addExact(Math.multiplyExact(days, MICROS_PER_DAY), micros);
        } catch (DateTimeException e) {
            throw bad(text, "TIMESTAMP", TIMESTAMP_FORM);
        }
    }

    public static long toMonths(String text) {
        Matcher parts = MONTHS.matcher(limited(text));
        if (!parts.matches() || (parts.group(2) == null && parts.group(3) == null)) {
            throw bad(text, "interval of months", "P1Y2M");
        }
        long years = parts.group(2) == null ? 0 : Long.parseLong(parts.group(2));
        long months = parts.group(3) == null ? 0 : Long.parseLong(parts.group(3));
        long all = IntegerFunctions.fit(years * 12 + months, 32);
        return parts.group(1).isEmpty() ? all : -all;
    }

    public static long toMicros(String text) {
        try {
            Duration duration = Duration.parse(limited(text));
            return Math.addExact(
                    Math.multiplyExact(duration.getSeconds(), MICROS_PER_SECOND), wholeMicros(duration.getNano()));
        } catch (DateTimeException e) {
            throw bad(text, "interval of days and seconds", "P1DT2H3M4.5S");
        }
    }

    private static long micros(String time) {
        if (time.endsWith(".")) {
            throw new DateTimeException("No digits behind the point");
        }
        return wholeMicros(LocalTime.parse(time).toNanoOfDay());
    }

    private static long wholeMicros(long nanos) {
        if (nanos % 1000 != 0) {
            throw new DateTimeException("Finer than microseconds");
        }
        return nanos / 1000;
    }

    private static String limited(String text) {
        String stripped = text.strip();
        if (stripped.length() > LENGTH_MAX) {
            throw new ArithmeticException("A date or time of " + stripped.length() + " characters");
        }
        return stripped;
    }

    private static ArithmeticException bad(String text, String type, String form) {
        return new ArithmeticException("'" + text + "' is not a valid " + type + ", which is written " + form);
    }
}
