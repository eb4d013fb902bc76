/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls of functions by class and name; names are unique in their class. */
public final class Functions {

    private static final Map<String, Method> METHODS = new ConcurrentHashMap<>();

    private Functions() {}

    public static Call call(Class<?> owner, String name, ColumnType type, List<Expression> arguments, Object... more) {
        return new Call(method(owner, name), arguments, List.of(more), type);
    }

    /** A call whose result is a condition. */
    public static Call test(Class<?> owner, String name, List<Expression> arguments, Object... more) {
        return call(owner, name, ColumnType.of(TypeKind.BOOLEAN).orNull(), arguments, more);
    }

    private static Method method(Class<?> owner, String name) {
        return METHODS.computeIfAbsent(owner.getName() + "." + name, key -> {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name) && Modifier.isPublic(method.getModifiers())) {
                    return method;
                }
            }
            throw new IllegalArgumentException("There is no function " + key);
        });
    }
}
