/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.function.DecimalFunctions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.JsonFunctions;
import dev.ratchet.circuits.expression.function.TextFunctions;
import dev.ratchet.circuits.expression.function.TimeFunctions;
import dev.ratchet.circuits.expression.function.TimeText;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What SQL calls the functions that expressions call, for people to read. One that is not listed has the words of its
 * own name, which is right for most; functions of users have the name of their method.
 */
final class SqlNames {

    private static final Map<String, String> INFIX = Map.ofEntries(
            Map.entry("add", "+"),
            Map.entry("addMonths", "+"),
            Map.entry("addMicros", "+"),
            Map.entry("addMonthsToDate", "+"),
            Map.entry("addMicrosToDate", "+"),
            Map.entry("addMicrosToTime", "+"),
            Map.entry("subtract", "-"),
            Map.entry("monthsBetween", "-"),
            Map.entry("multiply", "*"),
            Map.entry("multiplyByDecimal", "*"),
            Map.entry("divide", "/"),
            Map.entry("remainder", "%"),
            Map.entry("equal", "="),
            Map.entry("equalBooleans", "="),
            Map.entry("equalBytes", "="),
            Map.entry("less", "<"),
            Map.entry("lessBooleans", "<"),
            Map.entry("lessBytes", "<"),
            Map.entry("concatenate", "||"),
            Map.entry("concatenateBytes", "||"),
            Map.entry("anyEqual", "= ANY"),
            Map.entry("likeText", "LIKE"),
            Map.entry("similar", "SIMILAR TO"));

    /** Conversions, whatever the class; those of text and time are found by their class. */
    private static final Set<String> CASTS = Set.of(
            "fit",
            "ofLong",
            "ofDecimal",
            "ofDouble",
            "ofReal",
            "ofText",
            "ofBoolean",
            "ofBytes",
            "toReal",
            "toDouble",
            "toBytes",
            "toBoolean",
            "dateOf",
            "timeOf",
            "midnight");

    /** Of functions that calls come to in several ways; {@link NamedFunction} has the others. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("absolute", "ABS"),
            Map.entry("byteLength", "OCTET_LENGTH"),
            Map.entry("ceiling", "CEIL"),
            Map.entry("ceilingDate", "CEIL"),
            Map.entry("ceilingTime", "CEIL"),
            Map.entry("dayName", "DAYNAME"),
            Map.entry("difference", "ARRAY_EXCEPT"),
            Map.entry("extractFromDate", "EXTRACT"),
            Map.entry("extractFromMicros", "EXTRACT"),
            Map.entry("extractFromMonths", "EXTRACT"),
            Map.entry("extractFromTime", "EXTRACT"),
            Map.entry("floorDate", "FLOOR"),
            Map.entry("floorTime", "FLOOR"),
            Map.entry("intersection", "ARRAY_INTERSECT"),
            Map.entry("insert", "ARRAY_INSERT"),
            Map.entry("join", "ARRAY_JOIN"),
            Map.entry("joinWithNulls", "ARRAY_JOIN"),
            Map.entry("lengthOfBytes", "OCTET_LENGTH"),
            Map.entry("logarithm", "LOG"),
            Map.entry("monthName", "MONTHNAME"),
            Map.entry("overlap", "ARRAYS_OVERLAP"),
            Map.entry("padLeft", "LPAD"),
            Map.entry("padRight", "RPAD"),
            Map.entry("positionFrom", "POSITION"),
            Map.entry("roundEven", "BROUND"),
            Map.entry("size", "CARDINALITY"),
            Map.entry("sizeOfMap", "CARDINALITY"),
            Map.entry("sort", "SORT_ARRAY"),
            Map.entry("substringFrom", "SUBSTRING"),
            Map.entry("union", "ARRAY_UNION"),
            Map.entry("unitsSince1970", "UNITS_SINCE_1970"));

    private SqlNames() {}

    static boolean isOurs(Method method) {
        return method.getDeclaringClass().getPackage() == TextFunctions.class.getPackage();
    }

    /** The operator between two arguments that it is; null for none. */
    static @Nullable String infix(Method method) {
        return isOurs(method) ? INFIX.get(method.getName()) : null;
    }

    static boolean isCast(Method method) {
        boolean ofText = method.getDeclaringClass() == TextFunctions.class
                && method.getName().equals("truncate");
        return isOurs(method)
                && (ofText || method.getDeclaringClass() == TimeText.class || CASTS.contains(method.getName()));
    }

    /** Whether a call has a unit of time as its constant. */
    static boolean isOfUnit(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return method.getDeclaringClass() == TimeFunctions.class
                && parameters.length == 2
                && parameters[1] == String.class;
    }

    /** Whether constants of a call are part of what it computes, and not only how many digits the result has. */
    static boolean showsConstants(Method method) {
        Class<?> owner = method.getDeclaringClass();
        return owner != IntegerFunctions.class && owner != DecimalFunctions.class;
    }

    static String name(Method method) {
        String name = method.getName();
        if (!isOurs(method)) {
            return name;
        }
        Class<?> owner = method.getDeclaringClass();
        String named = NamedFunction.nameOf(owner, name);
        if (named != null) {
            return named;
        }
        String upper = name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
        if (owner == JsonFunctions.class) {
            return upper.startsWith("IS_") ? upper : "JSON_" + upper;
        }
        return NAMES.getOrDefault(name, upper);
    }
}
