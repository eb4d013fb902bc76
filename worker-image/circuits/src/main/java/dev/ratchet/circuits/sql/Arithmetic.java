/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.DecimalFunctions;
import dev.ratchet.circuits.expression.function.DoubleFunctions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.TimeFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import org.apache.calcite.sql.SqlKind;

/** Numbers, and times with intervals, by the type of the result. */
final class Arithmetic {

    private Arithmetic() {}

    static boolean isInteger(TypeKind kind) {
        return kind == TypeKind.TINYINT
                || kind == TypeKind.SMALLINT
                || kind == TypeKind.INTEGER
                || kind == TypeKind.BIGINT;
    }

    static boolean isFloat(TypeKind kind) {
        return kind == TypeKind.REAL || kind == TypeKind.DOUBLE;
    }

    static boolean isNumber(TypeKind kind) {
        return isInteger(kind) || isFloat(kind) || kind == TypeKind.DECIMAL;
    }

    static boolean isInterval(TypeKind kind) {
        return kind == TypeKind.INTERVAL_MONTHS || kind == TypeKind.INTERVAL_MICROS;
    }

    static int bits(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT -> 8;
            case SMALLINT -> 16;
            case INTEGER -> 32;
            default -> 64;
        };
    }

    /** A number type that holds both exactly where both are exact; a comparison needs no digits of its own. */
    static ColumnType commonNumber(ColumnType left, ColumnType right) {
        if (isFloat(left.kind()) || isFloat(right.kind())) {
            return ColumnType.of(TypeKind.DOUBLE).orNull();
        }
        if (left.kind() != TypeKind.DECIMAL && right.kind() != TypeKind.DECIMAL) {
            return ColumnType.of(TypeKind.BIGINT).orNull();
        }
        return ColumnType.decimal(ColumnType.PRECISION_MAX, Math.max(left.scale(), right.scale()))
                .orNull();
    }

    static Expression calculate(SqlKind kind, List<Expression> operands, ColumnType type) {
        if (operands.size() != 2) {
            throw new UnsupportedSqlException("", "An operator with " + operands.size() + " operands");
        }
        Expression left = operands.get(0);
        Expression right = operands.get(1);
        boolean ofTimes =
                !isNumber(left.type().kind()) || !isNumber(right.type().kind());
        if (ofTimes && !isNumber(type.kind())) {
            return times(kind, left, right, type);
        }
        String name =
                switch (kind) {
                    case PLUS, CHECKED_PLUS -> "add";
                    case MINUS, CHECKED_MINUS -> "subtract";
                    case TIMES, CHECKED_TIMES -> "multiply";
                    case DIVIDE, CHECKED_DIVIDE -> "divide";
                    default -> "remainder";
                };
        if (isInteger(type.kind())) {
            // Dates are numbers of days as they are.
            List<Expression> numbers = ofTimes
                    ? operands
                    : List.of(Casts.toKind(left, TypeKind.BIGINT), Casts.toKind(right, TypeKind.BIGINT));
            return name.equals("remainder")
                    ? Functions.call(IntegerFunctions.class, name, type, numbers)
                    : Functions.call(IntegerFunctions.class, name, type, numbers, bits(type));
        }
        if (isFloat(type.kind())) {
            List<Expression> numbers =
                    List.of(Casts.toKind(left, TypeKind.DOUBLE), Casts.toKind(right, TypeKind.DOUBLE));
            Expression result = Functions.call(DoubleFunctions.class, name, type, numbers);
            return type.kind() == TypeKind.REAL
                    ? Functions.call(DoubleFunctions.class, "toReal", type, List.of(result))
                    : result;
        }
        List<Expression> numbers = List.of(Casts.toDecimal(left), Casts.toDecimal(right));
        return Functions.call(DecimalFunctions.class, name, type, numbers, type.precision(), type.scale());
    }

    static Expression negate(Expression value, ColumnType type) {
        List<Expression> one = List.of(Casts.to(value, type));
        if (isInterval(type.kind())) {
            return Functions.call(TimeFunctions.class, "negate", type, one);
        }
        return isInteger(type.kind())
                ? Functions.call(IntegerFunctions.class, "negate", type, one, bits(type))
                : Functions.call(
                        isFloat(type.kind()) ? DoubleFunctions.class : DecimalFunctions.class, "negate", type, one);
    }

    private static Expression times(SqlKind kind, Expression left, Expression right, ColumnType type) {
        boolean plus = kind == SqlKind.PLUS || kind == SqlKind.CHECKED_PLUS;
        boolean minus = kind == SqlKind.MINUS || kind == SqlKind.CHECKED_MINUS;
        if (plus || minus) {
            if (isInterval(left.type().kind()) && isInterval(right.type().kind())) {
                return time(plus ? "addMicros" : "subtract", type, left, right);
            }
            if (isInterval(type.kind())) {
                return difference(left, right, type);
            }
            boolean leftIsInterval = isInterval(left.type().kind());
            Expression interval = leftIsInterval ? left : right;
            Expression signed = minus ? time("negate", interval.type(), interval) : interval;
            return shift(leftIsInterval ? right : left, signed, type);
        }
        boolean leftIsInterval = isInterval(left.type().kind());
        Expression interval = leftIsInterval ? left : right;
        Expression factor = leftIsInterval ? right : left;
        if (kind == SqlKind.DIVIDE) {
            return time("divide", type, interval, Casts.toKind(factor, TypeKind.BIGINT));
        }
        return isInteger(factor.type().kind())
                ? time("multiply", type, interval, factor)
                : time("multiplyByDecimal", type, interval, Casts.toDecimal(factor));
    }

    private static Expression difference(Expression left, Expression right, ColumnType type) {
        ColumnType timestamp = ColumnType.of(TypeKind.TIMESTAMP).orNull();
        boolean ofTimes = left.type().kind() == TypeKind.TIME;
        Expression later = ofTimes ? left : Casts.to(left, timestamp);
        Expression earlier = ofTimes ? right : Casts.to(right, timestamp);
        return time(type.kind() == TypeKind.INTERVAL_MONTHS ? "monthsBetween" : "subtract", type, later, earlier);
    }

    private static Expression shift(Expression start, Expression interval, ColumnType type) {
        boolean months = interval.type().kind() == TypeKind.INTERVAL_MONTHS;
        return switch (type.kind()) {
            case DATE -> time(months ? "addMonthsToDate" : "addMicrosToDate", type, start, interval);
            case TIME -> time("addMicrosToTime", type, start, interval);
            default -> time(months ? "addMonths" : "addMicros", type, Casts.to(start, type), interval);
        };
    }

    private static Expression time(String name, ColumnType type, Expression... arguments) {
        return Functions.call(TimeFunctions.class, name, type, List.of(arguments));
    }
}
