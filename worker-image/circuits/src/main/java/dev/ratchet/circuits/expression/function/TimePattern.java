/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import dev.ratchet.circuits.type.ShownSql;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalField;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How a date or time is written: as strftime of C says it, {@code %} and a letter for a part and all else itself, or as
 * Java says it, letters for parts. Read once; English names. A part that a pattern does not have is that of 1970-01-01
 * 00:00:00. Any number of threads.
 */
public final class TimePattern {

    private static final String LETTERS = "YymdjHIpMSfaAbBFT%";
    private static final String DATES = "YymdjaAbBF";
    private static final String TIMES = "HIpMSfT";

    /** Of two digits, those from here on are of the last century, as in POSIX. */
    private static final int YEAR_OF_TWO_DIGITS = 1969;

    private static final Map<Character, String> TOGETHER = Map.of('F', "%Y-%m-%d", 'T', "%H:%M:%S");

    private static final Map<Character, TemporalField> TWO_DIGITS = Map.of(
            'm', ChronoField.MONTH_OF_YEAR,
            'd', ChronoField.DAY_OF_MONTH,
            'H', ChronoField.HOUR_OF_DAY,
            'I', ChronoField.CLOCK_HOUR_OF_AMPM,
            'M', ChronoField.MINUTE_OF_HOUR,
            'S', ChronoField.SECOND_OF_MINUTE);

    /** Java's letters, and those of C for the same part; none where nothing is missing without it. */
    private static final Map<Character, Character> OF_JAVA = Map.ofEntries(
            Map.entry('y', 'Y'),
            Map.entry('M', 'm'),
            Map.entry('d', 'd'),
            Map.entry('D', 'j'),
            Map.entry('H', 'H'),
            Map.entry('h', 'I'),
            Map.entry('a', 'p'),
            Map.entry('m', 'M'),
            Map.entry('s', 'S'),
            Map.entry('S', 'f'),
            Map.entry('E', 'a'));

    private final String function;
    private final String pattern;
    private final boolean isJava;
    private final DateTimeFormatter formatter;

    private TimePattern(
            String function, String pattern, boolean isJava, DateTimeFormatterBuilder builder, Set<Character> letters) {
        this.function = function;
        this.pattern = pattern;
        this.isJava = isJava;
        addMissing(builder, letters);
        this.formatter = builder.toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
    }

    /**
     * Reads a pattern.
     *
     * @param function in SQL, which decides about the letters: a DATE has no hours, and a TIME no days
     * @throws IllegalArgumentException where a letter says nothing, to be read behind the function
     */
    public static TimePattern of(String function, String pattern) {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
        Set<Character> letters = new HashSet<>();
        append(function, pattern, builder, letters);
        return new TimePattern(function, pattern, false, builder, letters);
    }

    /**
     * Reads a pattern of Java's letters, as Flink and Spark take them.
     *
     * @throws IllegalArgumentException where a letter says nothing, to be read behind the function
     */
    public static TimePattern ofJava(String pattern) {
        Set<Character> letters = new HashSet<>();
        boolean isQuoted = false;
        StringBuilder read = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            isQuoted ^= c == '\'';
            boolean isLetter = !isQuoted && Character.isLetter(c);
            Character letter = isLetter ? OF_JAVA.get(c) : null;
            if ((isLetter && letter == null) || (!isQuoted && "%{}[]#".indexOf(c) >= 0)) {
                throw new IllegalArgumentException("can not use " + c + " of " + ShownSql.quoted(pattern)
                        + "; its letters are those of yyyy MM MMM MMMM dd D EEE EEEE HH hh a mm ss SSS, others stand"
                        + " in quotes; FORMAT_TIMESTAMP and PARSE_TIMESTAMP take a % in front of each");
            }
            if (letter != null) {
                letters.add(letter);
            }
            // Years count from 0, so that no era is missing.
            read.append(isLetter && c == 'y' ? 'u' : c);
        }
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
        try {
            builder.appendPattern(read.toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("can not use " + ShownSql.quoted(pattern) + ": " + e.getMessage(), e);
        }
        return new TimePattern("", pattern, true, builder, letters);
    }

    /** What {@link #ofRecorded} makes it of again. */
    public String recorded() {
        return function + " " + pattern;
    }

    public static TimePattern ofRecorded(String recorded) {
        int space = recorded.indexOf(' ');
        String pattern = recorded.substring(space + 1);
        return space == 0 ? ofJava(pattern) : of(recorded.substring(0, space), pattern);
    }

    /** Whether it stands behind what it is of. */
    public boolean isJava() {
        return isJava;
    }

    private static void append(
            String function, String pattern, DateTimeFormatterBuilder builder, Set<Character> letters) {
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c != '%') {
                builder.appendLiteral(c);
                at++;
                continue;
            }
            char letter = at + 1 < pattern.length() ? pattern.charAt(at + 1) : ' ';
            at += 2;
            boolean isOfOthers = (function.endsWith("_DATE") && TIMES.indexOf(letter) >= 0)
                    || (function.endsWith("_TIME") && DATES.indexOf(letter) >= 0);
            if (isOfOthers || LETTERS.indexOf(letter) < 0) {
                throw new IllegalArgumentException("can not use %" + letter + " of " + ShownSql.quoted(pattern)
                        + "; dates have %Y %y %m %d %j %a %A %b %B %F, times %H %I %p %M %S %f %T, and %% is a %");
            }
            String together = TOGETHER.get(letter);
            if (together == null) {
                letters.add(letter);
                append(letter, builder);
            } else {
                append(function, together, builder, letters);
            }
        }
    }

    private static void append(char letter, DateTimeFormatterBuilder builder) {
        TemporalField twoDigits = TWO_DIGITS.get(letter);
        if (twoDigits != null) {
            builder.appendValue(twoDigits, 2);
            return;
        }
        switch (letter) {
            case 'Y' -> builder.appendValue(ChronoField.YEAR, 4, 10, SignStyle.NORMAL);
            case 'y' -> builder.appendValueReduced(ChronoField.YEAR, 2, 2, YEAR_OF_TWO_DIGITS);
            case 'j' -> builder.appendValue(ChronoField.DAY_OF_YEAR, 3);
            case 'p' -> builder.appendText(ChronoField.AMPM_OF_DAY, TextStyle.SHORT);
            case 'f' -> builder.appendFraction(ChronoField.NANO_OF_SECOND, 6, 6, false);
            case 'a' -> builder.appendText(ChronoField.DAY_OF_WEEK, TextStyle.SHORT);
            case 'A' -> builder.appendText(ChronoField.DAY_OF_WEEK, TextStyle.FULL);
            case 'b' -> builder.appendText(ChronoField.MONTH_OF_YEAR, TextStyle.SHORT);
            case 'B' -> builder.appendText(ChronoField.MONTH_OF_YEAR, TextStyle.FULL);
            default -> builder.appendLiteral(letter);
        }
    }

    /** What is read without these parts. */
    private static void addMissing(DateTimeFormatterBuilder builder, Set<Character> letters) {
        if (!letters.contains('Y') && !letters.contains('y')) {
            builder.parseDefaulting(ChronoField.YEAR, 1970);
        }
        boolean hasMonth = letters.contains('m') || letters.contains('b') || letters.contains('B');
        if (hasMonth || !letters.contains('j')) {
            if (!hasMonth) {
                builder.parseDefaulting(ChronoField.MONTH_OF_YEAR, 1);
            }
            if (!letters.contains('d')) {
                builder.parseDefaulting(ChronoField.DAY_OF_MONTH, 1);
            }
        }
        if (!letters.contains('H')) {
            builder.parseDefaulting(letters.contains('I') ? ChronoField.AMPM_OF_DAY : ChronoField.HOUR_OF_DAY, 0);
        }
        builder.parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0);
        builder.parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0);
        builder.parseDefaulting(ChronoField.NANO_OF_SECOND, 0);
    }

    public static String formatDate(long date, TimePattern pattern) {
        return pattern.formatter.format(LocalDate.ofEpochDay(date));
    }

    public static String formatTime(long time, TimePattern pattern) {
        return pattern.formatter.format(LocalTime.ofNanoOfDay(TimeUnit.MICROSECONDS.toNanos(time)));
    }

    public static String formatTimestamp(long timestamp, TimePattern pattern) {
        LocalDate date = LocalDate.ofEpochDay(TimeFunctions.dateOf(timestamp));
        return pattern.formatter.format(
                date.atTime(LocalTime.ofNanoOfDay(TimeUnit.MICROSECONDS.toNanos(TimeFunctions.timeOf(timestamp)))));
    }

    public static long parseDate(String text, TimePattern pattern) {
        return LocalDate.from(pattern.read(text, "DATE")).toEpochDay();
    }

    public static long parseTime(String text, TimePattern pattern) {
        return TimeUnit.NANOSECONDS.toMicros(
                LocalTime.from(pattern.read(text, "TIME")).toNanoOfDay());
    }

    public static long parseTimestamp(String text, TimePattern pattern) {
        LocalDateTime moment = LocalDateTime.from(pattern.read(text, "TIMESTAMP"));
        return Math.addExact(
                TimeFunctions.midnight(moment.toLocalDate().toEpochDay()),
                TimeUnit.NANOSECONDS.toMicros(moment.toLocalTime().toNanoOfDay()));
    }

    // The same by the names of Flink.

    public static String dateFormat(long timestamp, TimePattern pattern) {
        return formatTimestamp(timestamp, pattern);
    }

    public static long toDate(String text, TimePattern pattern) {
        return parseDate(text, pattern);
    }

    public static long toTimestamp(String text, TimePattern pattern) {
        return parseTimestamp(text, pattern);
    }

    private TemporalAccessor read(String text, String type) {
        try {
            return formatter.parse(text);
        } catch (DateTimeException e) {
            throw new ArithmeticException(
                    ShownSql.quoted(text) + " is not a " + type + " that is written " + ShownSql.quoted(pattern));
        }
    }

    @Override
    public String toString() {
        return ShownSql.quoted(pattern);
    }
}
