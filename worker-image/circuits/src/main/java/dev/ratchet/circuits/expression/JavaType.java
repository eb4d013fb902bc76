/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.type.ColumnType;

/** How values of column types look in generated code. */
enum JavaType {
    BOOLEAN("boolean", "false", "Boolean", "booleanValue"),
    LONG("long", "0L", "Long", "longValue"),
    DOUBLE("double", "0d", "Double", "doubleValue"),
    DECIMAL("java.math.BigDecimal", "null", "java.math.BigDecimal", ""),
    TEXT("String", "null", "String", ""),
    BYTES("byte[]", "null", "byte[]", ""),
    LIST("java.util.List", "null", "java.util.List", ""),
    MAP("java.util.Map", "null", "java.util.Map", "");

    private final String source;
    private final String initial;
    private final String boxed;
    private final String unboxing;

    JavaType(String source, String initial, String boxed, String unboxing) {
        this.source = source;
        this.initial = initial;
        this.boxed = boxed;
        this.unboxing = unboxing;
    }

    static JavaType of(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> BOOLEAN;
            case REAL, DOUBLE -> DOUBLE;
            case DECIMAL -> DECIMAL;
            case VARCHAR -> TEXT;
            case VARBINARY -> BYTES;
            case ARRAY, STRUCT -> LIST;
            case MAP -> MAP;
            default -> LONG;
        };
    }

    /** What values of a class in generated code are called in SQL. */
    static String named(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "boolean" -> "BOOLEAN";
            case "long" -> "an integer";
            case "double" -> "DOUBLE";
            case "BigDecimal" -> "DECIMAL";
            case "String" -> "VARCHAR";
            case "byte[]" -> "VARBINARY";
            case "List" -> "an array";
            default -> "a map";
        };
    }

    /** The type's name in source. */
    String source() {
        return source;
    }

    /** A value for variables that are NULL. */
    String initial() {
        return initial;
    }

    boolean isPrimitive() {
        return !unboxing.isEmpty();
    }

    /** The type that can be null. */
    String boxed() {
        return boxed;
    }

    String unbox(String variable) {
        return isPrimitive() ? variable + "." + unboxing + "()" : variable;
    }

    String box(String variable) {
        return isPrimitive() ? boxed + ".valueOf(" + variable + ")" : variable;
    }
}
