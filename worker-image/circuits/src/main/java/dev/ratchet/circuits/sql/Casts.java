/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.DecimalFunctions;
import dev.ratchet.circuits.expression.function.DoubleFunctions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.TextFunctions;
import dev.ratchet.circuits.expression.function.TimeFunctions;
import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.jspecify.annotations.Nullable;

/** Conversions between types. Numbers round to the nearest, text is parsed whole, what does not fit is an error. */
final class Casts {

    private Casts() {}

    /** CAST, or TRY_CAST where errors become NULL. */
    static Expression cast(Expression value, ColumnType type, RelDataType target, boolean errorIsNull) {
        SqlIntervalQualifier unit = target.getIntervalQualifier();
        Expression converted = unit != null && Arithmetic.isInteger(value.type().kind())
                ? call(IntegerFunctions.class, "multiply", type, value, unitsIn(unit), Long.SIZE)
                : to(value, type);
        boolean isLimited = type.kind() == TypeKind.VARCHAR
                && value.type().kind() == TypeKind.VARCHAR
                && target.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED;
        if (isLimited) {
            converted = call(TextFunctions.class, "truncate", type, converted, target.getPrecision());
        }
        return errorIsNull ? new Expression.Try(converted) : converted;
    }

    /** How many months or microseconds one of the interval's first unit is. */
    private static Long unitsIn(SqlIntervalQualifier unit) {
        long units = unit.getStartUnit().multiplier.longValueExact();
        return unit.isYearMonth() ? units : TimeUnit.MILLISECONDS.toMicros(units);
    }

    /** An interval as the planner counts it: in months or milliseconds. */
    static Expression reinterpret(Expression value, ColumnType type) {
        return value.type().kind() == TypeKind.INTERVAL_MICROS && Arithmetic.isInteger(type.kind())
                ? call(TimeFunctions.class, "toUnits", type, value, 1000L)
                : to(value, type);
    }

    /** As {@link #to} where digits do not matter. */
    static Expression toKind(Expression value, TypeKind kind) {
        return value.type().kind() == kind
                        || (kind == TypeKind.BIGINT
                                && Arithmetic.isInteger(value.type().kind()))
                ? value
                : to(value, ColumnType.of(kind).orNull());
    }

    /** A number as a decimal of all its digits. */
    static Expression toDecimal(Expression value) {
        ColumnType type = value.type();
        if (type.kind() == TypeKind.DECIMAL) {
            return value;
        }
        if (Arithmetic.isInteger(type.kind())) {
            return call(
                    DecimalFunctions.class, "ofLong", ColumnType.decimal(19, 0).orNull(), value);
        }
        return to(value, ColumnType.decimal(ColumnType.PRECISION_MAX, 17).orNull());
    }

    static Expression to(Expression value, ColumnType wanted) {
        ColumnType type = wanted.orNull();
        ColumnType from = value.type().orNull();
        if (from.equals(type)) {
            return value;
        }
        if (value instanceof Literal literal && literal.value() == null) {
            return new Literal(type, null);
        }
        TypeKind kind = from.kind();
        Expression converted =
                switch (type.kind()) {
                    case TINYINT, SMALLINT, INTEGER, BIGINT -> integer(value, kind, type);
                    case REAL, DOUBLE -> floating(value, kind, type);
                    case DECIMAL -> decimal(value, kind, type);
                    case BOOLEAN -> toBoolean(value, kind, type);
                    case VARCHAR -> text(value, kind, type);
                    case VARBINARY ->
                        kind == TypeKind.VARCHAR ? call(TextFunctions.class, "toBytes", type, value) : null;
                    case DATE, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS -> time(value, kind, type);
                    case ARRAY, MAP, STRUCT -> Nesting.convert(value, type);
                };
        if (converted == null) {
            throw new UnsupportedSqlException(
                    "CAST", from + " can not be cast to " + type + "; cast to VARCHAR between");
        }
        return converted;
    }

    private static @Nullable Expression integer(Expression value, TypeKind from, ColumnType type) {
        int bits = Arithmetic.bits(type);
        if (Arithmetic.isInteger(from)) {
            return call(IntegerFunctions.class, "fit", type, value, bits);
        }
        return switch (from) {
            case REAL, DOUBLE -> call(IntegerFunctions.class, "ofDouble", type, value, bits);
            case DECIMAL -> call(IntegerFunctions.class, "ofDecimal", type, value, bits);
            case VARCHAR -> call(IntegerFunctions.class, "ofText", type, value, bits);
            case BOOLEAN -> call(IntegerFunctions.class, "ofBoolean", type, value);
            case INTERVAL_MONTHS, INTERVAL_MICROS -> call(IntegerFunctions.class, "fit", type, value, bits);
            default -> null;
        };
    }

    private static @Nullable Expression floating(Expression value, TypeKind from, ColumnType type) {
        Expression converted =
                switch (from) {
                    case TINYINT, SMALLINT, INTEGER, BIGINT -> call(DoubleFunctions.class, "ofLong", type, value);
                    case DECIMAL -> call(DoubleFunctions.class, "ofDecimal", type, value);
                    case VARCHAR -> call(DoubleFunctions.class, "ofText", type, value);
                    case REAL, DOUBLE -> value;
                    default -> null;
                };
        if (converted == null || type.kind() == from) {
            return converted;
        }
        return call(DoubleFunctions.class, type.kind() == TypeKind.REAL ? "toReal" : "toDouble", type, converted);
    }

    private static @Nullable Expression decimal(Expression value, TypeKind from, ColumnType type) {
        int precision = type.precision();
        int scale = type.scale();
        return switch (from) {
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                call(DecimalFunctions.class, "fit", type, toDecimal(value), precision, scale);
            case DECIMAL -> call(DecimalFunctions.class, "fit", type, value, precision, scale);
            case REAL, DOUBLE -> call(DecimalFunctions.class, "ofDouble", type, value, precision, scale);
            case VARCHAR -> call(DecimalFunctions.class, "ofText", type, value, precision, scale);
            case BOOLEAN ->
                to(
                        call(
                                IntegerFunctions.class,
                                "ofBoolean",
                                ColumnType.of(TypeKind.BIGINT).orNull(),
                                value),
                        type);
            default -> null;
        };
    }

    private static @Nullable Expression toBoolean(Expression value, TypeKind from, ColumnType type) {
        if (from == TypeKind.VARCHAR) {
            return call(TextFunctions.class, "toBoolean", type, value);
        }
        return Arithmetic.isInteger(from) ? call(IntegerFunctions.class, "toBoolean", type, value) : null;
    }

    private static @Nullable Expression text(Expression value, TypeKind from, ColumnType type) {
        return switch (from) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> call(TextFunctions.class, "ofLong", type, value);
            case DECIMAL -> call(TextFunctions.class, "ofDecimal", type, value);
            case REAL -> call(TextFunctions.class, "ofReal", type, value);
            case DOUBLE -> call(TextFunctions.class, "ofDouble", type, value);
            case BOOLEAN -> call(TextFunctions.class, "ofBoolean", type, value);
            case VARBINARY -> call(TextFunctions.class, "ofBytes", type, value);
            case DATE -> call(TimeText.class, "date", type, value);
            case TIME -> call(TimeText.class, "time", type, value);
            case TIMESTAMP -> call(TimeText.class, "timestamp", type, value);
            case INTERVAL_MONTHS -> call(TimeText.class, "months", type, value);
            case INTERVAL_MICROS -> call(TimeText.class, "micros", type, value);
            default -> null;
        };
    }

    private static @Nullable Expression time(Expression value, TypeKind from, ColumnType type) {
        if (from == TypeKind.VARCHAR) {
            String parse =
                    switch (type.kind()) {
                        case DATE -> "toDate";
                        case TIME -> "toTime";
                        case TIMESTAMP -> "toTimestamp";
                        case INTERVAL_MONTHS -> "toMonths";
                        default -> "toMicros";
                    };
            return call(TimeText.class, parse, type, value);
        }
        if (from == TypeKind.TIMESTAMP && type.kind() == TypeKind.DATE) {
            return call(TimeFunctions.class, "dateOf", type, value);
        }
        if (from == TypeKind.TIMESTAMP && type.kind() == TypeKind.TIME) {
            return call(TimeFunctions.class, "timeOf", type, value);
        }
        if (from == TypeKind.DATE && type.kind() == TypeKind.TIMESTAMP) {
            return call(TimeFunctions.class, "midnight", type, value);
        }
        boolean isNumberOfUnits = Arithmetic.isInterval(type.kind()) && Arithmetic.isInteger(from);
        return isNumberOfUnits ? call(IntegerFunctions.class, "fit", type, value, 64) : null;
    }

    private static Call call(Class<?> owner, String name, ColumnType type, Expression value, Object... more) {
        return Functions.call(owner, name, type, List.of(value), more);
    }
}
