/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.type.ColumnType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.util.SqlOperatorTables;

/**
 * Functions that a program brings: public static Java methods of public classes. Arguments and result are boolean,
 * long, double, BigDecimal, String or byte[] by their SQL types, with integers, dates and times as the long that is
 * stored. A NULL argument gives NULL without a call; null from the method is NULL. A method must return the same for
 * the same arguments, always: rows that go must be the rows that came.
 */
final class UserFunctions {

    private final ClassLoader classes;
    private final List<SqlOperator> operators = new ArrayList<>();
    private final Map<String, Method> methods = new HashMap<>();
    private final Map<String, List<ColumnType>> parameterTypes = new HashMap<>();

    UserFunctions(ClassLoader classes) {
        this.classes = classes;
    }

    ClassLoader classes() {
        return classes;
    }

    SqlOperatorTable operators() {
        return SqlOperatorTables.of(operators);
    }

    /** Makes a function known. */
    void define(SqlText text, Statement.CreateFunction function, List<RelDataType> parameters, RelDataType result) {
        String name = function.name().text().toUpperCase(Locale.ROOT);
        if (methods.containsKey(name)) {
            throw text.error(function.name().offset(), "There is a function " + name + " already; choose another name");
        }
        Method method = find(text, function);
        List<Class<?>> wanted = new ArrayList<>();
        parameters.forEach(type -> wanted.add(javaType(RexTranslator.type(type))));
        if (!List.of(method.getParameterTypes()).equals(wanted)) {
            throw text.error(
                    function.name().offset(),
                    "The method " + function.method() + " takes " + List.of(method.getParameterTypes())
                            + " where the function needs " + wanted);
        }
        Class<?> returned = javaType(RexTranslator.type(result));
        Class<?> boxed = boxed(returned);
        if (method.getReturnType() != returned && method.getReturnType() != boxed) {
            throw text.error(
                    function.name().offset(),
                    "The method " + function.method() + " returns " + method.getReturnType()
                            + " where the function needs " + returned);
        }
        methods.put(name, method);
        List<SqlTypeFamily> families = parameters.stream()
                .map(type -> {
                    SqlTypeFamily family = type.getSqlTypeName().getFamily();
                    return family == null ? SqlTypeFamily.ANY : family;
                })
                .toList();
        operators.add(new SqlFunction(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.explicit(SqlTypes.FACTORY.createTypeWithNullability(result, true)),
                null,
                OperandTypes.family(families),
                SqlFunctionCategory.USER_DEFINED_FUNCTION));
        parameterTypes.put(name, parameters.stream().map(RexTranslator::type).toList());
    }

    boolean defines(RexCall call) {
        return methods.containsKey(call.getOperator().getName().toUpperCase(Locale.ROOT));
    }

    /** The call of a function of the program. */
    Call call(RexCall call, List<Expression> arguments, ColumnType type) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        Method method = methods.get(name);
        List<ColumnType> types = parameterTypes.get(name);
        if (method == null || types == null) {
            throw new IllegalArgumentException("The program creates no function " + name);
        }
        List<Expression> converted = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            converted.add(Casts.to(arguments.get(i), types.get(i)));
        }
        return new Call(method, converted, List.of(), type);
    }

    private Method find(SqlText text, Statement.CreateFunction function) {
        String path = function.method();
        int point = path.lastIndexOf('.');
        List<Method> found = new ArrayList<>();
        try {
            Class<?> owner = classes.loadClass(path.substring(0, Math.max(0, point)));
            for (Method method : owner.getMethods()) {
                if (method.getName().equals(path.substring(point + 1)) && Modifier.isStatic(method.getModifiers())) {
                    found.add(method);
                }
            }
        } catch (ClassNotFoundException e) {
            throw text.error(
                    function.name().offset(),
                    "There is no class for '" + path
                            + "' on the class path; write 'package.Class.method' and give its jar" + " with --jar");
        }
        if (found.size() != 1) {
            throw text.error(
                    function.name().offset(),
                    found.size() + " public static methods are '" + path + "'; there must be exactly one");
        }
        if (!isPublic(found.get(0).getDeclaringClass())) {
            throw text.error(
                    function.name().offset(),
                    "The class of '" + path + "' is not public; make it so, with those around it");
        }
        return found.get(0);
    }

    private static boolean isPublic(Class<?> owner) {
        Class<?> around = owner.getEnclosingClass();
        return Modifier.isPublic(owner.getModifiers()) && (around == null || isPublic(around));
    }

    private static Class<?> javaType(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> boolean.class;
            case REAL, DOUBLE -> double.class;
            case DECIMAL -> BigDecimal.class;
            case VARCHAR -> String.class;
            case VARBINARY -> byte[].class;
            case ARRAY, STRUCT -> List.class;
            case MAP -> Map.class;
            default -> long.class;
        };
    }

    private static Class<?> boxed(Class<?> type) {
        return type == boolean.class
                ? Boolean.class
                : type == long.class ? Long.class : type == double.class ? Double.class : type;
    }
}
