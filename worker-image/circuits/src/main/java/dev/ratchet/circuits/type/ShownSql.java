/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How columns and constants look where people read what an operator does: columns by their numbers, constants as SQL
 * writes them. It is only read: ids and fingerprints never depend on it, so that it may change.
 */
public final class ShownSql {

    /** More items than that are not shown. */
    private static final int ITEMS_MAX = 10;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
    private static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
    private static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

    private ShownSql() {}

    /** A column of the rows at hand, from 0. */
    public static String column(int number) {
        return "#" + number;
    }

    public static String columns(Collection<Integer> numbers) {
        return numbers.stream().map(ShownSql::column).collect(Collectors.joining(", "));
    }

    /** The first columns, which are the key of rows that lie by it: "BY #0, #1"; empty where there is no key. */
    public static String byKey(RowSchema schema) {
        List<Integer> key = new ArrayList<>();
        for (int column = 0; column < schema.keyCount(); column++) {
            key.add(column);
        }
        return key.isEmpty() ? "" : "BY " + columns(key);
    }

    /** Some items, the first of them where there are many. */
    public static String items(Collection<String> items) {
        String shown = items.stream().limit(ITEMS_MAX).collect(Collectors.joining(", "));
        return items.size() > ITEMS_MAX ? shown + ", … (" + items.size() + " in all)" : shown;
    }

    /** A text in quotes. */
    public static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /**
     * A constant.
     *
     * @param value as {@link ObjectValues} has it, or the Long that is stored
     */
    public static String constant(ColumnType type, @Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case Long stored -> stored(type, stored);
            case Boolean truth -> truth ? "TRUE" : "FALSE";
            case BigDecimal number -> number.toPlainString();
            case byte[] bytes -> "X'" + HexFormat.of().formatHex(bytes) + "'";
            case LocalDate date -> "DATE '" + date + "'";
            case LocalTime time -> "TIME '" + DateTimeFormatter.ISO_LOCAL_TIME.format(time) + "'";
            case LocalDateTime at ->
                "TIMESTAMP '" + at.toLocalDate() + " " + DateTimeFormatter.ISO_LOCAL_TIME.format(at.toLocalTime())
                        + "'";
            case Period months -> interval(months.toTotalMonths(), "MONTH");
            case Duration duration ->
                micros(ChronoUnit.MICROS.between(
                        LocalDate.EPOCH.atStartOfDay(),
                        LocalDate.EPOCH.atStartOfDay().plus(duration)));
            case List<?> parts -> nested(type, parts);
            case Map<?, ?> entries -> {
                List<String> shown = new ArrayList<>();
                entries.forEach((key, item) -> {
                    shown.add(constant(part(type, 0), key));
                    shown.add(constant(part(type, 1), item));
                });
                yield "MAP[" + items(shown) + "]";
            }
            case Double number -> number.toString();
            default -> quoted(value.toString());
        };
    }

    private static String nested(ColumnType type, List<?> parts) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            shown.add(constant(part(type, type.kind() == TypeKind.STRUCT ? i : 0), parts.get(i)));
        }
        return type.kind() == TypeKind.STRUCT ? "ROW(" + items(shown) + ")" : "ARRAY[" + items(shown) + "]";
    }

    private static ColumnType part(ColumnType type, int index) {
        return type.fields().get(index).type();
    }

    private static String stored(ColumnType type, long value) {
        return switch (type.kind()) {
            case DATE -> constant(type, LocalDate.ofEpochDay(value));
            case TIME -> constant(type, LocalTime.ofNanoOfDay(value * 1000));
            case TIMESTAMP -> {
                long second = Math.floorDiv(value, MICROS_PER_SECOND);
                int nanos = (int) Math.floorMod(value, MICROS_PER_SECOND) * 1000;
                yield constant(type, LocalDateTime.ofEpochSecond(second, nanos, ZoneOffset.UTC));
            }
            case INTERVAL_MONTHS -> interval(value, "MONTH");
            case INTERVAL_MICROS -> micros(value);
            default -> Long.toString(value);
        };
    }

    /** How far two values of a column of LONG storage are apart. */
    public static String distance(ColumnType type, long distance) {
        return switch (type.kind()) {
            case DATE -> interval(distance, "DAY");
            case TIME, TIMESTAMP, INTERVAL_MICROS -> micros(distance);
            case INTERVAL_MONTHS -> interval(distance, "MONTH");
            case DECIMAL -> BigDecimal.valueOf(distance, type.scale()).toPlainString();
            default -> Long.toString(distance);
        };
    }

    private static String micros(long micros) {
        if (micros % MICROS_PER_DAY == 0 && micros != 0) {
            return interval(micros / MICROS_PER_DAY, "DAY");
        } else if (micros % MICROS_PER_HOUR == 0 && micros != 0) {
            return interval(micros / MICROS_PER_HOUR, "HOUR");
        } else if (micros % MICROS_PER_MINUTE == 0 && micros != 0) {
            return interval(micros / MICROS_PER_MINUTE, "MINUTE");
        }
        BigDecimal seconds = BigDecimal.valueOf(micros, 6).stripTrailingZeros();
        return "INTERVAL '" + seconds.toPlainString() + "' SECOND";
    }

    private static String interval(long count, String unit) {
        return "INTERVAL '" + count + "' " + unit;
    }
}
