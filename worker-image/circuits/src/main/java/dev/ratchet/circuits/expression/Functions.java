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

    private static final String PACKAGE = "dev.ratchet.circuits.expression.function";
    private static final Map<String, Method> METHODS = new ConcurrentHashMap<>();

    private Functions() {}

    /**
     * A call.
     *
     * @param more constants behind the arguments
     * @throws IllegalArgumentException where the function takes other arguments, to be read behind what called it
     */
    public static Call call(Class<?> owner, String name, ColumnType type, List<Expression> arguments, Object... more) {
        Method method = method(owner, name);
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length != arguments.size() + more.length) {
            throw new IllegalArgumentException(
                    "can not be given " + arguments.size() + " arguments; docs/functions.md shows how it is called");
        }
        for (int i = 0; i < arguments.size(); i++) {
            check(arguments.get(i), parameters[i]);
        }
        return new Call(method, arguments, List.of(more), type);
    }

    private static void check(Expression argument, Class<?> parameter) {
        boolean isNull = argument instanceof Expression.Literal literal && literal.value() == null;
        JavaType given = JavaType.of(argument.type());
        if (!isNull && parameter != Object.class && !given.source().endsWith(parameter.getSimpleName())) {
            throw new IllegalArgumentException(
                    "can not be given " + argument.type().withNullable(true) + " where it takes "
                            + JavaType.named(parameter) + "; cast the argument");
        }
    }

    /** A call whose result is a condition. */
    public static Call test(Class<?> owner, String name, List<Expression> arguments, Object... more) {
        return call(owner, name, ColumnType.of(TypeKind.BOOLEAN).orNull(), arguments, more);
    }

    /** Names a function for good: one of ours by class and method, a user's by the code of its class, too. */
    public static String nameOf(Method method) {
        return (isOwn(method.getDeclaringClass())
                        ? method.getDeclaringClass().getSimpleName()
                        : ShownConstants.code(method.getDeclaringClass()))
                + "." + method.getName();
    }

    private static boolean isOwn(Class<?> owner) {
        return owner.getPackageName().equals(PACKAGE) && owner.getClassLoader() == Functions.class.getClassLoader();
    }

    /**
     * The function of a name by {@link #nameOf}.
     *
     * @param classes of users
     * @throws IllegalArgumentException where there is none, or its class has other code
     */
    public static Method named(String name, ClassLoader classes) {
        int point = name.lastIndexOf('.');
        String owner = name.substring(0, Math.max(0, point));
        int at = owner.indexOf('@');
        try {
            return at < 0
                    ? method(Class.forName(PACKAGE + "." + owner), name.substring(point + 1))
                    : ofUser(classes.loadClass(owner.substring(0, at)), name);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "There is no function " + name + (at < 0 ? "; a newer release has it" : "; give the jar with it"),
                    e);
        }
    }

    private static Method ofUser(Class<?> owner, String name) {
        for (Method method : owner.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && nameOf(method).equals(name)) {
                return method;
            }
        }
        throw new IllegalArgumentException("Class " + owner.getName() + " is not the one with the function " + name
                + "; give the jar that the program was planned with");
    }

    private static Method method(Class<?> owner, String name) {
        return METHODS.computeIfAbsent(owner.getName() + "." + name, key -> {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name) && Modifier.isPublic(method.getModifiers())) {
                    return method;
                }
            }
            throw new IllegalArgumentException("There is no function " + key + "; a newer release may have it");
        });
    }
}
