/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.json;

import java.util.Set;

/**
 * What is wrong with one field, in the words of the real server.
 *
 * @param path such as {@code spec.slots[0].count}; empty for the object itself
 * @param reason one of the cause reasons of a Status, such as {@code FieldValueInvalid}
 * @param detail what follows the path in the message
 */
public record FieldError(String path, String reason, String detail) {

    private static final Set<String> BLOCKING = Set.of(
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid",
            "FieldValueNotSupported");

    public static FieldError invalid(String path, String value, String detail) {
        return new FieldError(
                path, "FieldValueInvalid", "Invalid value: " + value + (detail.isEmpty() ? "" : ": " + detail));
    }

    /** Without the value, which would be long. */
    public static FieldError invalid(String path, String detail) {
        return new FieldError(path, "FieldValueInvalid", "Invalid value: " + detail);
    }

    public static FieldError ofWrongType(String path, String found, String detail) {
        return new FieldError(path, "FieldValueTypeInvalid", "Invalid value: " + found + ": " + detail);
    }

    public static FieldError required(String path, String detail) {
        return new FieldError(path, "FieldValueRequired", "Required value" + (detail.isEmpty() ? "" : ": " + detail));
    }

    public static FieldError duplicate(String path, String value) {
        return new FieldError(path, "FieldValueDuplicate", "Duplicate value: " + value);
    }

    public static FieldError duplicate(String path) {
        return new FieldError(path, "FieldValueDuplicate", "Duplicate value");
    }

    public static FieldError unsupported(String path, String value, String supported) {
        return new FieldError(
                path, "FieldValueNotSupported", "Unsupported value: " + value + ": supported values: " + supported);
    }

    public static FieldError forbidden(String path, String detail) {
        return new FieldError(path, "FieldValueForbidden", "Forbidden: " + detail);
    }

    public static FieldError internal(String path, String detail) {
        return new FieldError(path, "InternalError", "Internal error: " + detail);
    }

    public static FieldError tooLong(String path, String detail) {
        return new FieldError(path, "FieldValueTooLong", "Too long: " + detail);
    }

    public static FieldError tooMany(String path, long actual, String detail) {
        return new FieldError(path, "FieldValueTooMany", "Too many: " + actual + ": " + detail);
    }

    /** Whether rules can not be evaluated on the object: what they read may be of another form than they expect. */
    public boolean blocksRules() {
        return BLOCKING.contains(reason);
    }

    public String message() {
        return path.isEmpty() ? "<nil>: " + detail : path + ": " + detail;
    }
}
