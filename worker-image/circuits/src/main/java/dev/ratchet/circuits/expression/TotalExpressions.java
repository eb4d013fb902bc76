/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.Expression.And;
import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.expression.Expression.Case;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.Expression.InSet;
import dev.ratchet.circuits.expression.Expression.IsNull;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Expression.Or;
import dev.ratchet.circuits.expression.Expression.Retyped;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.Set;

/**
 * Finds the expressions that have a value for every row: columns, and comparisons of numbers and times. Says nothing of
 * the others, which may have one, too.
 */
final class TotalExpressions {

    /** Functions of {@link IntegerFunctions} that fail for no arguments. */
    private static final Set<String> TOTAL = Set.of("equal", "less", "equalBooleans", "lessBooleans", "not");

    private TotalExpressions() {}

    /** Whether an expression has a value for every row, and one that a column of a type can hold. */
    static boolean isTotal(Expression expression, ColumnType type) {
        return isTotal(expression)
                && type.kind() != TypeKind.DECIMAL
                && !type.kind().isNested();
    }

    private static boolean isTotal(Expression expression) {
        return switch (expression) {
            case Column column -> !column.type().kind().isNested();
            case Literal literal -> true;
            case And and -> areTotal(and.parts());
            case Or or -> areTotal(or.parts());
            case IsNull isNull -> isTotal(isNull.value());
            case InSet in -> isTotal(in.value());
            case Case choice ->
                isTotal(choice.otherwise())
                        && choice.branches().stream()
                                .allMatch(branch -> isTotal(branch.condition()) && isTotal(branch.value()));
            case Call call ->
                call.method().getDeclaringClass() == IntegerFunctions.class
                        && TOTAL.contains(call.method().getName())
                        && areTotal(call.arguments());
            case Retyped other -> isTotal(other.value());
            default -> false;
        };
    }

    private static boolean areTotal(List<Expression> parts) {
        return parts.stream().allMatch(TotalExpressions::isTotal);
    }
}
