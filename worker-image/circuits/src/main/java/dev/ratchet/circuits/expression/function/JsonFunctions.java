/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.calcite.runtime.JsonFunctions.JsonPathContext;
import org.apache.calcite.runtime.JsonFunctions.StatefulFunction;
import org.apache.calcite.sql.SqlJsonExistsErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryEmptyOrErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryWrapperBehavior;
import org.jspecify.annotations.Nullable;

/**
 * JSON in text by the paths of SQL, lax where they do not say strict, as Calcite's own runtime reads them. A path that
 * finds nothing is empty; text that is no JSON, a path that is none and, in strict mode, a part that is not there are
 * errors.
 */
public final class JsonFunctions {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Used only where nothing is cached in it. */
    private static final StatefulFunction PATHS = new StatefulFunction();

    private JsonFunctions() {}

    private static JsonPathContext find(String json, String path) {
        boolean hasMode = path.startsWith("lax ") || path.startsWith("strict ");
        return org.apache.calcite.runtime.JsonFunctions.jsonApiCommonSyntax(json, hasMode ? path : "lax " + path);
    }

    /** The scalar at a path as text; null where it is empty, no scalar, or an error. */
    public static @Nullable String value(String json, String path) {
        JsonPathContext found = find(json, path);
        Object value = found.hasException() ? null : found.obj;
        if (value == null || value instanceof Map || value instanceof Collection) {
            return null;
        }
        return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    }

    public static boolean isError(String json, String path) {
        return !isJson(json, "VALUE") || find(json, path).hasException();
    }

    /** The scalar at a path; ends the step where there is none and the program says ERROR. */
    public static String neededValue(String json, String path) {
        String value = value(json, path);
        if (value == null) {
            throw new ArithmeticException("JSON_VALUE finds no scalar at " + path + " in " + json);
        }
        return value;
    }

    public static boolean exists(String json, String path, String onError) {
        Boolean exists = PATHS.jsonExists(find(json, path), SqlJsonExistsErrorBehavior.valueOf(onError));
        return exists != null && exists;
    }

    /** The object or array at a path as text. */
    public static @Nullable String query(String json, String path, String wrapper, String onEmpty, String onError) {
        try {
            Object found = PATHS.jsonQuery(
                    find(json, path),
                    SqlJsonQueryWrapperBehavior.valueOf(wrapper),
                    SqlJsonQueryEmptyOrErrorBehavior.valueOf(onEmpty),
                    SqlJsonQueryEmptyOrErrorBehavior.valueOf(onError),
                    true);
            return found == null ? null : found.toString();
        } catch (RuntimeException e) {
            // Calcite throws exceptions of its own and of the library of paths.
            throw new ArithmeticException("JSON_QUERY at " + path + " in " + json + ": " + e.getMessage());
        }
    }

    /** Whether text is JSON of a kind: VALUE, OBJECT, ARRAY or SCALAR. */
    public static boolean isJson(String json, String kind) {
        return switch (kind) {
            case "OBJECT" -> org.apache.calcite.runtime.JsonFunctions.isJsonObject(json);
            case "ARRAY" -> org.apache.calcite.runtime.JsonFunctions.isJsonArray(json);
            case "SCALAR" -> org.apache.calcite.runtime.JsonFunctions.isJsonScalar(json);
            default -> org.apache.calcite.runtime.JsonFunctions.isJsonValue(json);
        };
    }

    /** OBJECT, ARRAY, STRING, INTEGER, DOUBLE, BOOLEAN or NULL; null for text that is no JSON. */
    public static @Nullable String type(String json) {
        return isJson(json, "VALUE") ? org.apache.calcite.runtime.JsonFunctions.jsonType(json) : null;
    }

    /** How many members or elements; 1 for a scalar, null for text that is no JSON. */
    public static @Nullable Long length(String json) {
        Integer length = isJson(json, "VALUE") ? org.apache.calcite.runtime.JsonFunctions.jsonLength(json) : null;
        return length == null ? null : length.longValue();
    }

    /** How many members or elements the value at a path has; null where there is none. */
    public static @Nullable Long lengthAt(String json, String path) {
        JsonPathContext found = find(json, path);
        return switch (found.hasException() ? null : found.obj) {
            case null -> null;
            case Map<?, ?> members -> (long) members.size();
            case Collection<?> elements -> (long) elements.size();
            default -> 1L;
        };
    }

    /**
     * An object of names and values in turn.
     *
     * @param rest a letter per part: j for JSON text that is taken as it is; and a behind them to leave NULLs out
     */
    public static String object(List<? extends @Nullable Object> parts, String rest) {
        StringJoiner members = new StringJoiner(",", "{", "}");
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            if (parts.get(i + 1) != null || !leavesNullsOut(rest)) {
                members.add(write(parts.get(i), false) + ":" + write(parts.get(i + 1), rest.charAt(i + 1) == 'j'));
            }
        }
        return members.toString();
    }

    /** An array of values; the rest as of {@link #object}. */
    public static String array(List<? extends @Nullable Object> parts, String rest) {
        StringJoiner elements = new StringJoiner(",", "[", "]");
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) != null || !leavesNullsOut(rest)) {
                elements.add(write(parts.get(i), rest.charAt(i) == 'j'));
            }
        }
        return elements.toString();
    }

    /** What {@link #object} has between its braces; null where that is nothing. */
    public static @Nullable String member(List<? extends @Nullable Object> parts, String rest) {
        return inside(object(parts, rest));
    }

    /** What {@link #array} has between its brackets; null where that is nothing. */
    public static @Nullable String element(List<? extends @Nullable Object> parts, String rest) {
        return inside(array(parts, rest));
    }

    private static @Nullable String inside(String text) {
        return text.length() == 2 ? null : text.substring(1, text.length() - 1);
    }

    private static boolean leavesNullsOut(String rest) {
        return rest.endsWith("a");
    }

    private static String write(@Nullable Object value, boolean isJson) {
        if (value == null) {
            return "null";
        }
        if (isJson) {
            return value.toString();
        }
        try {
            return value instanceof BigDecimal number ? number.toPlainString() : MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new ArithmeticException(value + " can not be written as JSON: " + e.getOriginalMessage());
        }
    }
}
