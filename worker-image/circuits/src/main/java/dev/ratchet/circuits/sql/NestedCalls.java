/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.NamedFunction;
import dev.ratchet.circuits.expression.function.NestedFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions over arrays and maps. Elements are compared as rows are: by their type's one order, NULL first. */
final class NestedCalls {

    private NestedCalls() {}

    static @Nullable Expression call(String name, List<Expression> arguments, ColumnType type) {
        return switch (name) {
            case "CARDINALITY", "ARRAY_LENGTH", "ARRAY_SIZE" ->
                Functions.call(
                        NestedFunctions.class,
                        arguments.get(0).type().kind() == TypeKind.MAP ? "sizeOfMap" : "size",
                        type,
                        arguments);
            case "$ITEMS" ->
                RexTranslator.coalesce(List.of(arguments.get(0), new Expression.Nested(List.of(), type)), type);
            case "SORT_ARRAY" -> sort(arguments, type);
            case "= SOME" -> anyEqual(arguments);
            case "<> ALL" -> RexTranslator.not(anyEqual(arguments));
            case "ARRAY_JOIN", "ARRAY_TO_STRING" -> join(arguments, type);
            case "ARRAY_CONCAT" -> concatenate(arguments, type);
            case "ARRAY_UNION" -> ofArrays("union", arguments, type);
            case "ARRAY_INTERSECT" -> ofArrays("intersection", arguments, type);
            case "ARRAY_EXCEPT" -> ofArrays("difference", arguments, type);
            case "ARRAYS_OVERLAP" -> ofArrays("overlap", arguments, type);
            case "ARRAY_REPEAT" -> {
                Expression one = new Expression.Nested(List.of(Casts.to(arguments.get(0), item(type))), type);
                yield Functions.call(NestedFunctions.class, "repeat", type, List.of(one, arguments.get(1)));
            }
            case "SEQUENCE" -> Functions.call(NestedFunctions.class, "sequence", type, arguments);
            default -> null;
        };
    }

    static Expression ofArray(NamedFunction function, List<Expression> arguments, ColumnType type) {
        return Functions.call(
                function.owner(),
                function.method(),
                type,
                arguments,
                item(arguments.get(0).type()));
    }

    static Expression ofItem(NamedFunction function, List<Expression> arguments, ColumnType type) {
        ColumnType wanted =
                function.method().endsWith("pend") ? type : arguments.get(0).type();
        Expression array = Casts.to(arguments.get(0), wanted);
        Expression element = Casts.to(arguments.get(1), item(wanted));
        return Functions.call(function.owner(), function.method(), type, List.of(array, element));
    }

    /** Two arrays whose items have one type. */
    private static Expression ofArrays(String function, List<Expression> arguments, ColumnType type) {
        ColumnType item = item(arguments.get(0).type());
        if (!item.equals(item(arguments.get(1).type()))) {
            throw new IllegalArgumentException("can not be given "
                    + arguments.get(0).type().withNullable(true) + " and "
                    + arguments.get(1).type().withNullable(true) + "; cast one to the type of the other");
        }
        return Functions.call(NestedFunctions.class, function, type, arguments, item);
    }

    private static ColumnType item(ColumnType array) {
        if (array.kind() != TypeKind.ARRAY) {
            throw new IllegalArgumentException(
                    "can not be given " + array.withNullable(true) + " where it takes an array");
        }
        return array.fields().get(0).type().orNull();
    }

    /** Down where a second argument is FALSE, NULL then last. */
    private static Expression sort(List<Expression> arguments, ColumnType type) {
        ColumnType item = item(arguments.get(0).type());
        Expression up = Functions.call(NestedFunctions.class, "sort", type, List.of(arguments.get(0)), item);
        if (arguments.size() == 1) {
            return up;
        }
        if (arguments.get(1) instanceof Literal literal && literal.value() instanceof Boolean isUp) {
            return isUp ? up : Functions.call(NestedFunctions.class, "reverse", type, List.of(up), item);
        }
        throw new UnsupportedSqlException("SORT_ARRAY", "SORT_ARRAY needs TRUE or FALSE, whether it sorts upwards");
    }

    private static Expression anyEqual(List<Expression> arguments) {
        ColumnType item = item(arguments.get(1).type());
        return Functions.test(
                NestedFunctions.class, "anyEqual", List.of(Casts.to(arguments.get(0), item), arguments.get(1)));
    }

    private static Expression join(List<Expression> arguments, ColumnType type) {
        if (arguments.size() != 2 || item(arguments.get(0).type()).kind() != TypeKind.VARCHAR) {
            throw new UnsupportedSqlException(
                    "", "ARRAY_JOIN and ARRAY_TO_STRING take an array of VARCHAR and a separator");
        }
        return Functions.call(NestedFunctions.class, "join", type, arguments);
    }

    private static Expression concatenate(List<Expression> arguments, ColumnType type) {
        Expression all = Casts.to(arguments.get(0), type);
        for (Expression next : arguments.subList(1, arguments.size())) {
            all = Functions.call(NestedFunctions.class, "concatenate", type, List.of(all, Casts.to(next, type)));
        }
        return all;
    }
}
