/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.nio.charset.StandardCharsets;
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

    /** What each thread has written last: rows of a stream often have the time of the row before. */
    private static final ThreadLocal<Written> LAST = ThreadLocal.withInitial(Written::new);

    /** A timestamp and its text. */
    private static final class Written {
        private long micros;
        private String text = "1970-01-01 00:00:00";
    }

    private TimeText() {}

    public static String date(long days) {
        return LocalDate.ofEpochDay(days).toString();
    }

    public static String time(long micros) {
        byte[] text = new byte["HH:MM:SS.ffffff".length()];
        return new String(text, 0, putTime(text, 0, micros), StandardCharsets.ISO_8859_1);
    }

    public static String timestamp(long micros) {
        Written written = LAST.get();
        if (written.micros != micros) {
            written.text = textOf(micros);
            written.micros = micros;
        }
        return written.text;
    }

    private static String textOf(long micros) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(micros, MICROS_PER_DAY));
        long ofDay = Math.floorMod(micros, MICROS_PER_DAY);
        int year = date.getYear();
        if (year < 1000 || year > 9999) {
            return date + " " + time(ofDay);
        }
        byte[] text = new byte["YYYY-MM-DD HH:MM:SS.ffffff".length()];
        int end = putTwo(text, putTwo(text, 0, year / 100), year % 100);
        text[end++] = '-';
        end = putTwo(text, end, date.getMonthValue());
        text[end++] = '-';
        end = putTwo(text, end, date.getDayOfMonth());
        text[end++] = ' ';
        return new String(text, 0, putTime(text, end, ofDay), StandardCharsets.ISO_8859_1);
    }

    /** Puts the text of a time at a place; returns where it ends. */
    private static int putTime(byte[] text, int at, long micros) {
        if (micros < 0 || micros >= MICROS_PER_DAY) {
            throw new DateTimeException(micros + " microseconds are no time of a day");
        }
        int seconds = (int) (micros / MICROS_PER_SECOND);
        int end = putTwo(text, at, seconds / 3600);
        text[end++] = ':';
        end = putTwo(text, end, seconds / 60 % 60);
        text[end++] = ':';
        end = putTwo(text, end, seconds % 60);
        int fraction = (int) (micros % MICROS_PER_SECOND);
        if (fraction > 0) {
            text[end++] = '.';
        }
        for (int unit = (int) MICROS_PER_SECOND / 10; fraction > 0; unit /= 10) {
            text[end++] = (byte) ('0' + fraction / unit);
            fraction %= unit;
        }
        return end;
    }

    private static int putTwo(byte[] text, int at, int number) {
        text[at] = (byte) ('0' + number / 10);
        text[at + 1] = (byte) ('0' + number % 10);
        return at + 2;
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
