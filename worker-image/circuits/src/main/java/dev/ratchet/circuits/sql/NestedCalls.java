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
            case "ARRAY_APPEND" -> concatenate(List.of(arguments.get(0), one(arguments.get(1), type)), type);
            case "ARRAY_PREPEND" -> concatenate(List.of(one(arguments.get(1), type), arguments.get(0)), type);
            case "ARRAY_INSERT" -> {
                Expression array = Casts.to(arguments.get(0), type);
                List<Expression> all = List.of(array, arguments.get(1), one(arguments.get(2), type));
                yield Functions.call(NestedFunctions.class, "insert", type, all);
            }
            case "ARRAY_UNION" -> ofArrays("union", arguments, type);
            case "ARRAY_INTERSECT" -> ofArrays("intersection", arguments, type);
            case "ARRAY_EXCEPT" -> ofArrays("difference", arguments, type);
            case "ARRAYS_OVERLAP" -> ofArrays("overlap", arguments, type);
            case "ARRAY_REPEAT" ->
                Functions.call(
                        NestedFunctions.class, "repeat", type, List.of(one(arguments.get(0), type), arguments.get(1)));
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
        Expression array = arguments.get(0);
        Expression element = exactly(arguments.get(1), item(array.type()));
        return Functions.call(function.owner(), function.method(), type, List.of(array, element));
    }

    /** What is looked for among items, which equals none of them by being rounded. */
    private static Expression exactly(Expression value, ColumnType item) {
        TypeKind from = value.type().kind();
        boolean isRounded =
                switch (item.kind()) {
                    case TINYINT, SMALLINT, INTEGER, BIGINT -> !Arithmetic.isInteger(from);
                    case DECIMAL -> Arithmetic.isFloat(from) || value.type().scale() > item.scale();
                    case DATE, TIME -> from == TypeKind.TIMESTAMP;
                    default -> false;
                };
        if (isRounded && !(value instanceof Literal literal && literal.value() == null)) {
            throw new IllegalArgumentException("would round " + value.type().withNullable(true) + " to "
                    + item.withNullable(true) + "; cast one to the type of the other");
        }
        return Casts.to(value, item);
    }

    /** An array of one item, which may be NULL. */
    private static Expression one(Expression item, ColumnType array) {
        return new Expression.Nested(List.of(Casts.to(item, item(array))), array);
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
                NestedFunctions.class, "anyEqual", List.of(exactly(arguments.get(0), item), arguments.get(1)));
    }

    private static Expression join(List<Expression> arguments, ColumnType type) {
        if (item(arguments.get(0).type()).kind() != TypeKind.VARCHAR) {
            throw new UnsupportedSqlException("", "ARRAY_JOIN and ARRAY_TO_STRING take an array of VARCHAR");
        }
        return Functions.call(NestedFunctions.class, arguments.size() == 2 ? "join" : "joinWithNulls", type, arguments);
    }

    private static Expression concatenate(List<Expression> arguments, ColumnType type) {
        Expression all = Casts.to(arguments.get(0), type);
        for (Expression next : arguments.subList(1, arguments.size())) {
            all = Functions.call(NestedFunctions.class, "concatenate", type, List.of(all, Casts.to(next, type)));
        }
        return all;
    }
}
