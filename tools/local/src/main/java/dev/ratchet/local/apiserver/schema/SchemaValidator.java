/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks a value against a schema and collects every error with its path, in the words of the real server. CEL rules
 * are {@link CelValidator}'s.
 */
public final class SchemaValidator {

    private static final int MAXIMUM_ERRORS = 100;

    private final List<FieldError> errors;

    private SchemaValidator(List<FieldError> errors) {
        this.errors = errors;
    }

    /** Adds what is wrong with {@code value} to {@code errors}, at most 100. */
    public static void validate(Schema schema, JsonNode value, String path, List<FieldError> errors) {
        new SchemaValidator(errors).check(schema, value, path);
    }

    private void check(Schema schema, JsonNode value, String path) {
        if (errors.size() >= MAXIMUM_ERRORS || (value.isNull() && schema.flag("nullable"))) {
            return;
        }
        if (!hasType(schema, value)) {
            String type = schema.isIntOrString() ? "integer,string" : schema.type();
            String shown = quoteType(value);
            errors.add(FieldError.ofWrongType(path, shown, path + " in body must be of type " + type + ": " + shown));
            return;
        }
        checkEnum(schema, value, path);
        if (value instanceof ObjectNode object) {
            checkObject(schema, object, path);
        } else if (value instanceof ArrayNode array) {
            checkArray(schema, array, path);
        } else if (value.isTextual()) {
            checkText(schema, value.asText(), path);
        } else if (value.isNumber()) {
            checkNumber(schema, value, path);
        }
        checkAlternatives(schema, value, path);
    }

    private static boolean hasType(Schema schema, JsonNode value) {
        if (schema.isIntOrString()) {
            return value.isTextual() || value.isNumber();
        }
        return switch (schema.type()) {
            case "" -> true;
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" ->
                value.isIntegralNumber() || (value.isNumber() && value.asDouble() == Math.rint(value.asDouble()));
            case "number" -> value.isNumber();
            default -> false;
        };
    }

    private void checkEnum(Schema schema, JsonNode value, String path) {
        JsonNode allowed = schema.keyword("enum");
        if (allowed == null) {
            return;
        }
        List<String> names = new ArrayList<>();
        for (JsonNode candidate : allowed) {
            if (candidate.equals(value)) {
                return;
            }
            names.add(candidate.toString());
        }
        errors.add(FieldError.unsupported(path, value.toString(), String.join(", ", names)));
    }

    private void checkObject(Schema schema, ObjectNode object, String path) {
        for (String name : schema.required()) {
            if (!object.has(name)) {
                errors.add(FieldError.required(FieldPath.child(path, name), ""));
            }
        }
        @Nullable Long maximum = limit(schema, "maxProperties");
        if (maximum != null && object.size() > maximum) {
            errors.add(FieldError.tooMany(path, object.size(), "must have at most " + maximum + " items"));
        }
        @Nullable Long minimum = limit(schema, "minProperties");
        if (minimum != null && object.size() < minimum) {
            errors.add(FieldError.invalid(
                    path,
                    Integer.toString(object.size()),
                    path + " in body should have at least " + minimum + " properties"));
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Schema child = schema.field(field.getKey());
            if (child != null) {
                check(child, field.getValue(), FieldPath.child(path, field.getKey()));
            }
        }
    }

    private void checkArray(Schema schema, ArrayNode array, String path) {
        @Nullable Long maximum = limit(schema, "maxItems");
        if (maximum != null && array.size() > maximum) {
            errors.add(FieldError.tooMany(path, array.size(), "must have at most " + maximum + " items"));
        }
        @Nullable Long minimum = limit(schema, "minItems");
        if (minimum != null && array.size() < minimum) {
            errors.add(FieldError.invalid(
                    path,
                    Integer.toString(array.size()),
                    path + " in body should have at least " + minimum + " items"));
        }
        checkUnique(schema, array, path);
        Schema items = schema.items();
        if (items != null) {
            for (int i = 0; i < array.size(); i++) {
                check(items, array.get(i), FieldPath.index(path, i));
            }
        }
    }

    private void checkUnique(Schema schema, ArrayNode array, String path) {
        boolean isMap = schema.listType().equals("map");
        if (!isMap && !schema.listType().equals("set")) {
            return;
        }
        List<String> keys = schema.listMapKeys();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < array.size(); i++) {
            JsonNode item = array.get(i);
            String identity = isMap
                    ? keys.stream()
                            .map(key -> "\"" + key + "\":" + item.path(key))
                            .collect(Collectors.joining(",", "{", "}"))
                    : item.toString();
            if (!seen.add(identity)) {
                errors.add(FieldError.duplicate(FieldPath.index(path, i), identity));
            }
        }
    }

    private void checkText(Schema schema, String text, String path) {
        int length = text.codePointCount(0, text.length());
        @Nullable Long maximum = limit(schema, "maxLength");
        if (maximum != null && length > maximum) {
            errors.add(FieldError.tooLong(path, "may not be more than " + maximum + " bytes"));
        }
        @Nullable Long minimum = limit(schema, "minLength");
        if (minimum != null && length < minimum) {
            errors.add(FieldError.invalid(
                    path, quote(text), path + " in body should be at least " + minimum + " chars long"));
        }
        Pattern pattern = schema.pattern();
        if (pattern != null && !pattern.matcher(text).find()) {
            errors.add(FieldError.invalid(path, quote(text), path + " in body should match '" + pattern + "'"));
        }
        if (!StringFormats.matches(schema.text("format"), text)) {
            String format = schema.text("format");
            errors.add(FieldError.invalid(
                    path, quote(text), path + " in body must be of type " + format + ": " + quote(text)));
        }
    }

    private void checkNumber(Schema schema, JsonNode value, String path) {
        JsonNode maximum = schema.keyword("maximum");
        if (maximum != null) {
            boolean exclusive = schema.flag("exclusiveMaximum");
            int order = value.decimalValue().compareTo(maximum.decimalValue());
            if (order > 0 || (exclusive && order == 0)) {
                errors.add(FieldError.invalid(
                        path,
                        value.toString(),
                        path + " in body should be less than " + (exclusive ? "" : "or equal to ") + maximum));
            }
        }
        JsonNode minimum = schema.keyword("minimum");
        if (minimum != null) {
            boolean exclusive = schema.flag("exclusiveMinimum");
            int order = value.decimalValue().compareTo(minimum.decimalValue());
            if (order < 0 || (exclusive && order == 0)) {
                errors.add(FieldError.invalid(
                        path,
                        value.toString(),
                        path + " in body should be greater than " + (exclusive ? "" : "or equal to ") + minimum));
            }
        }
        JsonNode step = schema.keyword("multipleOf");
        if (step != null && value.decimalValue().remainder(step.decimalValue()).signum() != 0) {
            errors.add(FieldError.invalid(path, value.toString(), path + " in body should be a multiple of " + step));
        }
    }

    private void checkAlternatives(Schema schema, JsonNode value, String path) {
        for (Schema part : schema.alternatives("allOf")) {
            check(part, value, path);
        }
        List<Schema> any = schema.alternatives("anyOf");
        if (!any.isEmpty() && any.stream().noneMatch(part -> isValid(part, value, path))) {
            errors.add(FieldError.invalid(
                    path, quoteType(value), path + " in body must validate at least one schema (anyOf)"));
        }
        List<Schema> one = schema.alternatives("oneOf");
        if (!one.isEmpty()
                && one.stream().filter(part -> isValid(part, value, path)).count() != 1) {
            errors.add(FieldError.invalid(
                    path, quoteType(value), path + " in body must validate one and only one schema (oneOf)"));
        }
        Schema not = schema.not();
        if (not != null && isValid(not, value, path)) {
            errors.add(
                    FieldError.invalid(path, quoteType(value), path + " in body must not validate the schema (not)"));
        }
    }

    private static boolean isValid(Schema schema, JsonNode value, String path) {
        List<FieldError> found = new ArrayList<>();
        validate(schema, value, path, found);
        return found.isEmpty();
    }

    private static @Nullable Long limit(Schema schema, String keyword) {
        JsonNode found = schema.keyword(keyword);
        return found == null ? null : found.asLong();
    }

    private static String quote(String text) {
        return "\"" + text + "\"";
    }

    private static String quoteType(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "\"object\"";
            case ARRAY -> "\"array\"";
            case STRING -> "\"string\"";
            case BOOLEAN -> "\"boolean\"";
            case NULL -> "\"null\"";
            default -> value.isIntegralNumber() ? "\"integer\"" : "\"number\"";
        };
    }
}
