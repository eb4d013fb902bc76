/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value computed from the columns of one row, with SQL's NULL. Immutable; equal expressions compute the same. In
 * compiled code a BOOLEAN is a boolean, REAL and DOUBLE a double, DECIMAL a {@link java.math.BigDecimal}, VARCHAR a
 * String, VARBINARY a byte[], ARRAY and STRUCT a List, MAP a Map, and every other type a long.
 */
public sealed interface Expression {

    ColumnType type();

    /** A column of the row. */
    record Column(int index, ColumnType type) implements Expression {

        @Override
        public String toString() {
            return "$" + index;
        }
    }

    /**
     * A constant.
     *
     * @param value as by {@link dev.ratchet.circuits.type.ObjectValues} for text, bytes, decimals and nested types; a
     *     Boolean, Double or, for every other type, the Long that is stored
     */
    record Literal(ColumnType type, @Nullable Object value) implements Expression {

        @Override
        public String toString() {
            return ShownConstants.show(value) + ":" + type.kind();
        }
    }

    /**
     * A function of arguments none of which is NULL; where one is, the result is NULL and the function not called.
     *
     * @param method public and static, of a public class; null from it is NULL
     * @param constants Integers, Longs and Strings, handed over behind the arguments
     */
    record Call(Method method, List<Expression> arguments, List<Object> constants, ColumnType type)
            implements Expression {

        @Override
        public String toString() {
            List<Object> all = new ArrayList<>(arguments);
            all.addAll(constants);
            return ShownConstants.code(method.getDeclaringClass()) + "." + method.getName()
                    + all.stream().map(Object::toString).collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /** False where one is false, else NULL where one is NULL, else true; stops at the first false. */
    record And(List<Expression> parts) implements Expression {

        @Override
        public ColumnType type() {
            return ColumnType.of(TypeKind.BOOLEAN).orNull();
        }
    }

    /** True where one is true, else NULL where one is NULL, else false; stops at the first true. */
    record Or(List<Expression> parts) implements Expression {

        @Override
        public ColumnType type() {
            return ColumnType.of(TypeKind.BOOLEAN).orNull();
        }
    }

    /** Whether a value is NULL; itself never NULL. */
    record IsNull(Expression value) implements Expression {

        @Override
        public ColumnType type() {
            return ColumnType.of(TypeKind.BOOLEAN);
        }
    }

    /** Whether a value is one of many constants, compared by {@code equals}; NULL where the value is. */
    record InSet(Expression value, Set<Object> constants) implements Expression {

        /** In an order of its own, because that of a set differs between processes. */
        @Override
        public String toString() {
            return "InSet[value=" + value + ", constants="
                    + constants.stream().map(ShownConstants::show).sorted().toList() + "]";
        }

        @Override
        public ColumnType type() {
            return ColumnType.of(TypeKind.BOOLEAN).orNull();
        }
    }

    /** A condition and the value where it is true. */
    record Branch(Expression condition, Expression value) {}

    /** The value of the first branch whose condition is true; only that value is computed. */
    record Case(List<Branch> branches, Expression otherwise, ColumnType type) implements Expression {}

    /** A value, or NULL where computing it is an error. */
    record Try(Expression value) implements Expression {

        @Override
        public ColumnType type() {
            return value.type().orNull();
        }
    }

    /** A value under a type that has the same values, such as with other names of fields. */
    record Retyped(Expression value, ColumnType type) implements Expression {}

    /**
     * What a body computes of each item of an array, as an array of the same order; or, where the type is BOOLEAN, the
     * OR of all of them. NULL where the array is.
     */
    record OverItems(Expression array, Expression body, ColumnType type) implements Expression {}

    /**
     * The item that the body of an {@link OverItems} around is computed of.
     *
     * @param out how many others are between: 0 for that of the innermost one
     */
    record Item(int out, ColumnType type) implements Expression {

        @Override
        public String toString() {
            // As it was before items further out could be read: ids of operators depend on it.
            return "Item[" + (out == 0 ? "" : "out=" + out + ", ") + "type=" + type + "]";
        }
    }

    /** An array or struct of its parts, or a map of keys and values by turns. */
    record Nested(List<Expression> parts, ColumnType type) implements Expression {}
}
