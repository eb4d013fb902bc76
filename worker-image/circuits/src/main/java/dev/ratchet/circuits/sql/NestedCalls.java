/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.NestedFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions over arrays and maps. Elements are compared as rows are: by their type's one order, NULL first. */
final class NestedCalls {

    /** Of an array alone: SQL's name and ours. */
    private static final Map<String, String> OF_ARRAY = Map.of(
            "ARRAY_DISTINCT", "distinct",
            "ARRAY_MAX", "greatest",
            "ARRAY_MIN", "least",
            "ARRAY_REVERSE", "reverse",
            "SORT_ARRAY", "sort");

    /** Of an array and an element: SQL's name and ours. */
    private static final Map<String, String> OF_ELEMENT = Map.of(
            "ARRAY_APPEND", "append",
            "ARRAY_CONTAINS", "contains",
            "ARRAY_POSITION", "position",
            "ARRAY_PREPEND", "prepend",
            "ARRAY_REMOVE", "remove");

    private NestedCalls() {}

    static @Nullable Expression call(String name, List<Expression> arguments, ColumnType type) {
        if (OF_ARRAY.containsKey(name)) {
            return Functions.call(
                    NestedFunctions.class,
                    OF_ARRAY.get(name),
                    type,
                    arguments.subList(0, 1),
                    item(arguments.get(0).type()));
        }
        if (OF_ELEMENT.containsKey(name)) {
            ColumnType wanted = name.endsWith("PEND") ? type : arguments.get(0).type();
            Expression array = Casts.to(arguments.get(0), wanted);
            Expression element = Casts.to(arguments.get(1), item(wanted));
            return Functions.call(NestedFunctions.class, OF_ELEMENT.get(name), type, List.of(array, element));
        }
        return switch (name) {
            case "CARDINALITY", "ARRAY_LENGTH", "ARRAY_SIZE" ->
                Functions.call(
                        NestedFunctions.class,
                        arguments.get(0).type().kind() == TypeKind.MAP ? "sizeOfMap" : "size",
                        type,
                        arguments);
            case "$ITEMS" ->
                RexTranslator.coalesce(List.of(arguments.get(0), new Expression.Nested(List.of(), type)), type);
            case "ELEMENT" -> Functions.call(NestedFunctions.class, "onlyItem", type, arguments);
            case "= SOME" -> anyEqual(arguments);
            case "<> ALL" -> RexTranslator.not(anyEqual(arguments));
            case "ARRAY_JOIN", "ARRAY_TO_STRING" -> join(arguments, type);
            case "ARRAY_CONCAT" -> concatenate(arguments, type);
            case "MAP_CONTAINS_KEY" -> Functions.call(NestedFunctions.class, "containsKey", type, arguments);
            case "MAP_KEYS" -> Functions.call(NestedFunctions.class, "keys", type, arguments);
            case "MAP_VALUES" -> Functions.call(NestedFunctions.class, "values", type, arguments);
            default -> null;
        };
    }

    private static ColumnType item(ColumnType array) {
        if (array.kind() != TypeKind.ARRAY) {
            throw new IllegalArgumentException(
                    "can not be given " + array.withNullable(true) + " where it takes an array");
        }
        return array.fields().get(0).type().orNull();
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
