/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.IsNull;
import dev.ratchet.circuits.expression.Expression.Nested;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.DecimalFunctions;
import dev.ratchet.circuits.expression.function.DoubleFunctions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.NestedFunctions;
import dev.ratchet.circuits.expression.function.TextFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlKind;

/** Comparisons by the order of rows, of which every type needs two: equal and less. */
final class Comparisons {

    private static final Set<TypeKind> DATE_AND_TIMESTAMP = Set.of(TypeKind.DATE, TypeKind.TIMESTAMP);

    private Comparisons() {}

    static Expression compare(SqlKind kind, Expression left, Expression right) {
        if (left instanceof Nested one && right instanceof Nested other && areRows(one, other)) {
            return rows(kind, one.parts(), other.parts());
        }
        return values(kind, left, right);
    }

    private static boolean areRows(Nested left, Nested right) {
        return left.type().kind() == TypeKind.STRUCT
                && right.type().kind() == TypeKind.STRUCT
                && left.parts().size() == right.parts().size();
    }

    /** Rows that a query writes, column by column: what a NULL decides is unknown, unlike in values of a ROW type. */
    private static Expression rows(SqlKind kind, List<Expression> left, List<Expression> right) {
        Expression first = compare(kind, left.get(0), right.get(0));
        if (left.size() == 1) {
            return first;
        }
        Expression rest = rows(kind, left.subList(1, left.size()), right.subList(1, right.size()));
        return switch (kind) {
            case EQUALS, IS_NOT_DISTINCT_FROM -> new Expression.And(List.of(first, rest));
            case NOT_EQUALS, IS_DISTINCT_FROM -> new Expression.Or(List.of(first, rest));
            default -> {
                boolean isLess = kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL;
                SqlKind strictly = isLess ? SqlKind.LESS_THAN : SqlKind.GREATER_THAN;
                Expression equal = compare(SqlKind.EQUALS, left.get(0), right.get(0));
                yield new Expression.Or(List.of(
                        compare(strictly, left.get(0), right.get(0)), new Expression.And(List.of(equal, rest))));
            }
        };
    }

    private static Expression values(SqlKind kind, Expression left, Expression right) {
        return switch (kind) {
            case EQUALS -> test("equal", left, right);
            case NOT_EQUALS -> RexTranslator.not(test("equal", left, right));
            case LESS_THAN -> test("less", left, right);
            case GREATER_THAN -> test("less", right, left);
            case LESS_THAN_OR_EQUAL -> RexTranslator.not(test("less", right, left));
            case GREATER_THAN_OR_EQUAL -> RexTranslator.not(test("less", left, right));
            case IS_NOT_DISTINCT_FROM -> notDistinct(left, right);
            case IS_DISTINCT_FROM -> RexTranslator.not(notDistinct(left, right));
            default -> throw new IllegalArgumentException(kind + " is not a comparison");
        };
    }

    private static Expression notDistinct(Expression left, Expression right) {
        Expression bothNull = new Expression.And(List.of(new IsNull(left), new IsNull(right)));
        Expression neitherNull = new Expression.And(List.of(
                RexTranslator.not(new IsNull(left)), RexTranslator.not(new IsNull(right)), test("equal", left, right)));
        return new Expression.Or(List.of(bothNull, neitherNull));
    }

    private static Expression test(String name, Expression left, Expression right) {
        ColumnType common = common(left.type(), right.type());
        List<Expression> sides = List.of(side(left, common), side(right, common));
        return switch (common.kind()) {
            case BOOLEAN -> Functions.test(IntegerFunctions.class, name + "Booleans", sides);
            case REAL, DOUBLE -> Functions.test(DoubleFunctions.class, name, sides);
            case DECIMAL -> Functions.test(DecimalFunctions.class, name, sides);
            case VARCHAR -> Functions.test(TextFunctions.class, name, sides);
            case VARBINARY -> Functions.test(TextFunctions.class, name + "Bytes", sides);
            case ARRAY, MAP, STRUCT -> Functions.test(NestedFunctions.class, name, sides, common);
            default -> Functions.test(IntegerFunctions.class, name, sides);
        };
    }

    private static Expression side(Expression side, ColumnType common) {
        boolean isExact = common.kind() == TypeKind.DECIMAL
                && Arithmetic.isNumber(side.type().kind());
        return isExact ? Casts.toDecimal(side) : Casts.to(side, common);
    }

    /** A type that holds the values of both: what Calcite did not cast already. */
    private static ColumnType common(ColumnType left, ColumnType right) {
        TypeKind a = left.kind();
        TypeKind b = right.kind();
        if (a == b) {
            return left;
        }
        if (Arithmetic.isNumber(a) && Arithmetic.isNumber(b)) {
            return Arithmetic.commonNumber(left, right);
        }
        if (Set.of(a, b).equals(DATE_AND_TIMESTAMP)) {
            return ColumnType.of(TypeKind.TIMESTAMP).orNull();
        }
        if (a == TypeKind.VARCHAR || b == TypeKind.VARCHAR) {
            return a == TypeKind.VARCHAR ? right : left;
        }
        return left;
    }
}
