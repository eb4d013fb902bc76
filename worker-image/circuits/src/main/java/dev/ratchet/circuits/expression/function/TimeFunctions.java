/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import static dev.ratchet.circuits.expression.function.TimeText.MICROS_PER_DAY;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * Dates as days since 1970-01-01, times and timestamps as microseconds, in the proleptic Gregorian calendar without
 * zones. Weeks begin on Monday. A unit is the name of a field of EXTRACT.
 */
public final class TimeFunctions {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
    private static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;

    private static final long DATE_MIN = LocalDate.of(1, 1, 1).toEpochDay();
    private static final long DATE_MAX = LocalDate.of(9999, 12, 31).toEpochDay();

    private TimeFunctions() {}

    public static long dateOf(long timestamp) {
        return Math.floorDiv(timestamp, MICROS_PER_DAY);
    }

    public static long timeOf(long timestamp) {
        return Math.floorMod(timestamp, MICROS_PER_DAY);
    }

    public static long midnight(long date) {
        return Math.multiplyExact(date, MICROS_PER_DAY);
    }

    public static long addMonthsToDate(long date, long months) {
        return inRange(LocalDate.ofEpochDay(date).plusMonths(months).toEpochDay());
    }

    /** A day that was computed; it must be one that is written YYYY-MM-DD. */
    private static long inRange(long date) {
        if (date < DATE_MIN || date > DATE_MAX) {
            throw new ArithmeticException(
                    LocalDate.ofEpochDay(date) + " is no DATE; they go from 0001-01-01 to 9999-12-31");
        }
        return date;
    }

    public static long addMicrosToDate(long date, long micros) {
        return inRange(Math.addExact(date, Math.floorDiv(micros, MICROS_PER_DAY)));
    }

    public static long addMonths(long timestamp, long months) {
        return Math.addExact(midnight(addMonthsToDate(dateOf(timestamp), months)), timeOf(timestamp));
    }

    public static long addMicros(long timestamp, long micros) {
        long moved = Math.addExact(timestamp, micros);
        inRange(dateOf(moved));
        return moved;
    }

    public static long addMicrosToTime(long time, long micros) {
        return Math.floorMod(time + micros % MICROS_PER_DAY, MICROS_PER_DAY);
    }

    public static long negate(long interval) {
        return Math.negateExact(interval);
    }

    public static long subtract(long left, long right) {
        return Math.subtractExact(left, right);
    }

    /** Whole months from one timestamp to another. */
    public static long monthsBetween(long later, long earlier) {
        long months = ChronoUnit.MONTHS.between(
                LocalDate.ofEpochDay(dateOf(earlier)).withDayOfMonth(1),
                LocalDate.ofEpochDay(dateOf(later)).withDayOfMonth(1));
        long moved = addMonths(earlier, months);
        if (months > 0 && moved > later) {
            return months - 1;
        }
        return months < 0 && moved < later ? months + 1 : months;
    }

    /** An interval times a number. */
    public static long multiply(long interval, long factor) {
        return Math.multiplyExact(interval, factor);
    }

    public static long multiplyByDecimal(long interval, BigDecimal factor) {
        return IntegerFunctions.ofDecimal(factor.multiply(BigDecimal.valueOf(interval)), 64);
    }

    public static long divide(long interval, long divisor) {
        return IntegerFunctions.divide(interval, divisor, 64);
    }

    public static long toUnits(long micros, long microsPerUnit) {
        return micros / microsPerUnit;
    }

    public static long extractFromDate(long date, String unit) {
        LocalDate day = LocalDate.ofEpochDay(date);
        int year = day.getYear();
        return switch (unit) {
            case "YEAR" -> year;
            case "QUARTER" -> day.get(IsoFields.QUARTER_OF_YEAR);
            case "MONTH" -> day.getMonthValue();
            case "DAY" -> day.getDayOfMonth();
            case "DOW" -> day.getDayOfWeek().getValue() % 7;
            case "ISODOW" -> day.getDayOfWeek().getValue();
            case "DOY" -> day.getDayOfYear();
            case "WEEK" -> day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case "ISOYEAR" -> day.get(IsoFields.WEEK_BASED_YEAR);
            case "DECADE" -> Math.floorDiv(year, 10);
            case "CENTURY" -> year > 0 ? (year + 99) / 100 : year / 100 - 1;
            case "MILLENNIUM" -> year > 0 ? (year + 999) / 1000 : year / 1000 - 1;
            case "EPOCH" -> Math.multiplyExact(date, 86_400L);
            default -> throw noField(unit, "DATE");
        };
    }

    public static long extract(long timestamp, String unit) {
        return switch (unit) {
            case "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND" ->
                extractFromTime(timeOf(timestamp), unit);
            case "EPOCH" -> Math.floorDiv(timestamp, MICROS_PER_SECOND);
            default -> extractFromDate(dateOf(timestamp), unit);
        };
    }

    /** Milliseconds and microseconds are those of the minute, as in PostgreSQL. */
    public static long extractFromTime(long time, String unit) {
        return switch (unit) {
            case "HOUR" -> time / MICROS_PER_HOUR;
            case "MINUTE" -> time / MICROS_PER_MINUTE % 60;
            case "SECOND" -> time / MICROS_PER_SECOND % 60;
            case "MILLISECOND" -> time % MICROS_PER_MINUTE / 1000;
            case "MICROSECOND" -> time % MICROS_PER_MINUTE;
            case "NANOSECOND" -> time % MICROS_PER_MINUTE * 1000;
            case "EPOCH" -> time / MICROS_PER_SECOND;
            default -> throw noField(unit, "TIME");
        };
    }

    public static long extractFromMonths(long months, String unit) {
        return switch (unit) {
            case "YEAR" -> months / 12;
            case "QUARTER" -> months % 12 / 3 + 1;
            case "MONTH" -> months % 12;
            default -> throw noField(unit, "interval of months");
        };
    }

    public static long extractFromMicros(long micros, String unit) {
        return switch (unit) {
            case "DAY" -> micros / MICROS_PER_DAY;
            case "HOUR" -> micros / MICROS_PER_HOUR % 24;
            case "MINUTE" -> micros / MICROS_PER_MINUTE % 60;
            case "SECOND" -> micros / MICROS_PER_SECOND % 60;
            case "MILLISECOND" -> micros % MICROS_PER_MINUTE / 1000;
            case "MICROSECOND" -> micros % MICROS_PER_MINUTE;
            case "EPOCH" -> micros / MICROS_PER_SECOND;
            default -> throw noField(unit, "interval of days and seconds");
        };
    }

    private static ArithmeticException noField(String unit, String type) {
        return new ArithmeticException("A " + type + " has no " + unit);
    }

    public static long floorDate(long date, String unit) {
        LocalDate day = LocalDate.ofEpochDay(date);
        return switch (unit) {
            case "MILLENNIUM" -> firstYear(day.getYear(), 1000);
            case "CENTURY" -> firstYear(day.getYear(), 100);
            case "DECADE" ->
                LocalDate.of(Math.floorDiv(day.getYear(), 10) * 10, 1, 1).toEpochDay();
            case "YEAR" -> day.withDayOfYear(1).toEpochDay();
            case "QUARTER" ->
                LocalDate.of(day.getYear(), (day.getMonthValue() - 1) / 3 * 3 + 1, 1)
                        .toEpochDay();
            case "MONTH" -> day.withDayOfMonth(1).toEpochDay();
            case "WEEK" -> date - (day.getDayOfWeek().getValue() - 1);
            default -> date;
        };
    }

    private static long firstYear(int year, int years) {
        return LocalDate.of(Math.floorDiv(year - 1, years) * years + 1, 1, 1).toEpochDay();
    }

    public static long floor(long timestamp, String unit) {
        long width = width(unit);
        return width == 0 ? midnight(floorDate(dateOf(timestamp), unit)) : timestamp - Math.floorMod(timestamp, width);
    }

    public static long ceilingDate(long date, String unit) {
        long floor = floorDate(date, unit);
        return floor == date ? date : next(floor, unit);
    }

    public static long ceiling(long timestamp, String unit) {
        long floor = floor(timestamp, unit);
        if (floor == timestamp) {
            return timestamp;
        }
        long width = width(unit);
        return width == 0 ? midnight(next(dateOf(floor), unit)) : Math.addExact(floor, width);
    }

    private static long next(long floor, String unit) {
        LocalDate day = LocalDate.ofEpochDay(floor);
        LocalDate next =
                switch (unit) {
                    case "MILLENNIUM" -> day.plusYears(1000);
                    case "CENTURY" -> day.plusYears(100);
                    case "DECADE" -> day.plusYears(10);
                    case "YEAR" -> day.plusYears(1);
                    case "QUARTER" -> day.plusMonths(3);
                    case "MONTH" -> day.plusMonths(1);
                    case "WEEK" -> day.plusDays(7);
                    default -> day.plusDays(1);
                };
        return next.toEpochDay();
    }

    private static long width(String unit) {
        return switch (unit) {
            case "DAY" -> MICROS_PER_DAY;
            case "HOUR" -> MICROS_PER_HOUR;
            case "MINUTE" -> MICROS_PER_MINUTE;
            case "SECOND" -> MICROS_PER_SECOND;
            case "MILLISECOND" -> 1000;
            case "MICROSECOND" -> 1;
            default -> 0;
        };
    }

    public static long lastDay(long date) {
        LocalDate day = LocalDate.ofEpochDay(date);
        return day.withDayOfMonth(day.lengthOfMonth()).toEpochDay();
    }

    public static long floorTime(long time, String unit) {
        return time - time % width(unit);
    }

    /** Past the last of a day comes midnight. */
    public static long ceilingTime(long time, String unit) {
        return ceiling(time, unit) % MICROS_PER_DAY;
    }

    /** The start of the window that a time lies in, windows of one width from 1970 on. */
    public static long tumble(long timestamp, long width) {
        return Math.subtractExact(timestamp, Math.floorMod(timestamp, width));
    }

    public static long unitsSince1970(long timestamp, long microsPerUnit) {
        return Math.floorDiv(timestamp, microsPerUnit);
    }

    public static String dayName(long date) {
        return LocalDate.ofEpochDay(date).getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    public static String monthName(long date) {
        return LocalDate.ofEpochDay(date).getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }
}
