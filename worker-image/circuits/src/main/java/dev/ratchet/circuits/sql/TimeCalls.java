/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.TimeFunctions;
import dev.ratchet.circuits.expression.function.TimePattern;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.jspecify.annotations.Nullable;

/** The functions over dates, times and intervals. A unit that the type does not have is refused before any row. */
final class TimeCalls {

    private static final ColumnType DATE = ColumnType.of(TypeKind.DATE).orNull();
    private static final ColumnType TIMESTAMP =
            ColumnType.of(TypeKind.TIMESTAMP).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();

    private static final List<String> OF_DATE = List.of(
            "YEAR",
            "ISOYEAR",
            "QUARTER",
            "MONTH",
            "WEEK",
            "DAY",
            "DOW",
            "ISODOW",
            "DOY",
            "DECADE",
            "CENTURY",
            "MILLENNIUM",
            "EPOCH");
    private static final List<String> OF_TIME =
            List.of("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND", "EPOCH");

    private static final Map<TypeKind, List<String>> FIELDS = Map.of(
            TypeKind.DATE, OF_DATE,
            TypeKind.TIME, OF_TIME,
            TypeKind.TIMESTAMP,
                    Stream.concat(OF_DATE.stream(), OF_TIME.stream()).distinct().toList(),
            TypeKind.INTERVAL_MONTHS, List.of("YEAR", "QUARTER", "MONTH"),
            TypeKind.INTERVAL_MICROS,
                    List.of("DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "EPOCH"));

    private static final List<String> DATE_STEPS =
            List.of("MILLENNIUM", "CENTURY", "DECADE", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY");
    private static final List<String> TIME_STEPS = List.of("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND");

    /** What FLOOR and DATE_TRUNC can cut to. */
    private static final Map<TypeKind, List<String>> STEPS = Map.of(
            TypeKind.DATE, DATE_STEPS,
            TypeKind.TIME, TIME_STEPS,
            TypeKind.TIMESTAMP,
                    Stream.concat(DATE_STEPS.stream(), TIME_STEPS.stream()).toList());

    /** Other words for units where a unit is a string, all without an S at the end. */
    private static final Map<String, String> SYNONYMS = Map.of(
            "DAYOFWEEK",
            "DOW",
            "DAYOFYEAR",
            "DOY",
            "ISOWEEK",
            "WEEK",
            "CENTURIE",
            "CENTURY",
            "MILLENNIA",
            "MILLENNIUM",
            "MICRO",
            "MICROSECOND",
            "MILLI",
            "MILLISECOND",
            "MIN",
            "MINUTE",
            "SEC",
            "SECOND");

    /** Microseconds of the unit of UNIX_x and TIMESTAMP_x. */
    private static final Map<String, Long> UNITS = Map.of("SECONDS", 1_000_000L, "MILLIS", 1000L, "MICROS", 1L);

    private TimeCalls() {}

    static @Nullable Expression call(String name, List<Expression> arguments, @Nullable Enum<?> flag, ColumnType type) {
        return switch (name) {
            case "EXTRACT" -> extract(name, arguments.get(0), unit(flag), type);
            case "DATE_TRUNC" -> {
                int text = arguments.get(0).type().kind() == TypeKind.VARCHAR ? 0 : 1;
                yield cut(name, true, arguments.get(1 - text), unit(name, arguments.get(text)), type);
            }
            case "TIMESTAMP_TRUNC", "TIME_TRUNC" -> cut(name, true, arguments.get(0), unit(flag), type);
            case "FORMAT_DATE" -> ofPattern(name, "formatDate", arguments, type);
            case "FORMAT_TIME" -> ofPattern(name, "formatTime", arguments, type);
            case "FORMAT_TIMESTAMP" -> ofPattern(name, "formatTimestamp", arguments, type);
            case "PARSE_DATE" -> ofPattern(name, "parseDate", arguments, type);
            case "PARSE_TIME" -> ofPattern(name, "parseTime", arguments, type);
            case "PARSE_TIMESTAMP" -> ofPattern(name, "parseTimestamp", arguments, type);
            case "DATE_FORMAT" ->
                ofJavaPattern(name, "dateFormat", Casts.to(arguments.get(0), TIMESTAMP), arguments.get(1), type);
            case "TO_DATE", "TO_TIMESTAMP" -> read(name, arguments, type);
            case "$TUMBLE" -> tumble(arguments, type);
            case "$HOP", "$SESSION" ->
                throw new UnsupportedSqlException(
                        name.substring(1),
                        name.substring(1) + " in GROUP BY; group by window_start and window_end of TABLE("
                                + name.substring(1) + "(TABLE t, DESCRIPTOR(time), …))");
            case "LAST_DAY" -> time("lastDay", type, Casts.to(arguments.get(0), DATE));
            case "DAYNAME" -> time("dayName", type, Casts.to(arguments.get(0), DATE));
            case "MONTHNAME" -> time("monthName", type, Casts.to(arguments.get(0), DATE));
            case "UNIX_SECONDS", "UNIX_MILLIS", "UNIX_MICROS" ->
                Functions.call(
                        TimeFunctions.class,
                        "unitsSince1970",
                        type,
                        List.of(Casts.to(arguments.get(0), TIMESTAMP)),
                        microsIn(name));
            case "TIMESTAMP_SECONDS", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS" ->
                Functions.call(
                        IntegerFunctions.class,
                        "multiply",
                        type,
                        List.of(Casts.to(arguments.get(0), BIGINT), new Literal(BIGINT, microsIn(name))),
                        Long.SIZE);
            default -> null;
        };
    }

    private static Long microsIn(String name) {
        return UNITS.getOrDefault(name.substring(name.indexOf('_') + 1), 1L);
    }

    private static Expression time(String name, ColumnType type, Expression value) {
        return Functions.call(TimeFunctions.class, name, type, List.of(value));
    }

    /** FLOOR where it goes down, CEIL where it goes up, both to a unit that is a word of the syntax. */
    static Expression cut(boolean down, Expression value, TimeUnitRange unit, ColumnType type) {
        return cut(down ? "FLOOR" : "CEIL", down, value, unit(unit), type);
    }

    private static Expression cut(String function, boolean down, Expression value, String unit, ColumnType type) {
        check(function, unit, value.type().kind(), STEPS);
        String name = down ? "floor" : "ceiling";
        return switch (value.type().kind()) {
            case DATE -> Functions.call(TimeFunctions.class, name + "Date", type, List.of(value), unit);
            case TIME -> Functions.call(TimeFunctions.class, name + "Time", type, List.of(value), unit);
            default -> Functions.call(TimeFunctions.class, name, type, List.of(Casts.to(value, TIMESTAMP)), unit);
        };
    }

    private static Expression extract(String function, Expression value, String unit, ColumnType type) {
        check(function, unit, value.type().kind(), FIELDS);
        String name =
                switch (value.type().kind()) {
                    case DATE -> "extractFromDate";
                    case TIME -> "extractFromTime";
                    case INTERVAL_MONTHS -> "extractFromMonths";
                    case INTERVAL_MICROS -> "extractFromMicros";
                    default -> "extract";
                };
        return Functions.call(TimeFunctions.class, name, type, List.of(value), unit);
    }

    private static void check(String function, String unit, TypeKind kind, Map<TypeKind, List<String>> units) {
        List<String> known = units.getOrDefault(kind, List.of());
        if (!known.contains(unit)) {
            throw new UnsupportedSqlException(
                    function,
                    function + " finds no " + unit + " in " + kind
                            + (known.isEmpty()
                                    ? "; give it a DATE, a TIME or a TIMESTAMP"
                                    : "; its units are " + known.stream().collect(Collectors.joining(", "))));
        }
    }

    private static String unit(@Nullable Enum<?> flag) {
        return flag instanceof TimeUnitRange range ? range.startUnit.name() : String.valueOf(flag);
    }

    /** The unit in a constant string, in any case, also in the plural. */
    private static String unit(String function, Expression argument) {
        if (argument instanceof Literal literal && literal.value() instanceof String text) {
            return unit(text);
        }
        throw new UnsupportedSqlException(function, function + " needs a constant unit, such as 'month'");
    }

    /** The unit that a text names. */
    static String unit(@Nullable String text) {
        String upper = String.valueOf(text).strip().toUpperCase(Locale.ROOT);
        String one = upper.endsWith("S") ? upper.substring(0, upper.length() - 1) : upper;
        return SYNONYMS.getOrDefault(one, one);
    }

    /** The pattern, a constant, is read once and handed over behind what it is of. */
    private static Expression ofPattern(String function, String method, List<Expression> arguments, ColumnType type) {
        if (arguments.get(0) instanceof Literal literal && literal.value() instanceof String pattern) {
            return Functions.call(
                    TimePattern.class, method, type, arguments.subList(1, 2), TimePattern.of(function, pattern));
        }
        throw new UnsupportedSqlException(function, function + " needs a constant pattern, such as '%Y-%m-%d'");
    }

    /** NULL where the text is not written so, as in Flink. */
    private static Expression read(String function, List<Expression> arguments, ColumnType type) {
        Expression text = arguments.get(0);
        String method = function.equals("TO_DATE") ? "toDate" : "toTimestamp";
        return new Expression.Try(
                arguments.size() == 1
                        ? Casts.to(text, type)
                        : ofJavaPattern(function, method, text, arguments.get(1), type));
    }

    private static Expression ofJavaPattern(
            String function, String method, Expression of, Expression pattern, ColumnType type) {
        if (pattern instanceof Literal literal && literal.value() instanceof String text) {
            return Functions.call(TimePattern.class, method, type, List.of(of), TimePattern.ofJava(text));
        }
        throw new UnsupportedSqlException(function, function + " needs a constant pattern, such as 'yyyy-MM-dd'");
    }

    private static Expression tumble(List<Expression> arguments, ColumnType type) {
        if (arguments.size() == 2
                && arguments.get(1) instanceof Literal literal
                && literal.type().kind() == TypeKind.INTERVAL_MICROS
                && literal.value() instanceof Long width
                && width > 0) {
            return Functions.call(
                    TimeFunctions.class, "tumble", type, List.of(Casts.to(arguments.get(0), TIMESTAMP)), width);
        }
        throw new UnsupportedSqlException(
                "TUMBLE", "TUMBLE in GROUP BY needs a constant interval of days or seconds; or use TABLE(TUMBLE(…))");
    }
}
