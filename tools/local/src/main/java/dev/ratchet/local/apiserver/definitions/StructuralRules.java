/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.schema.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A schema is structural if the type of each value is said outside of {@code allOf}, {@code anyOf}, {@code oneOf} and
 * {@code not}, and nothing but limits of values inside of them.
 */
final class StructuralRules {
    private enum Level {
        ROOT("must not be empty at the root"),
        ITEM("must not be empty for specified array items"),
        FIELD("must not be empty for specified object fields");

        private final String needsType;

        Level(String needsType) {
            this.needsType = needsType;
        }
    }

    private static final Set<String> META_TEXTS = Set.of("kind", "apiVersion");

    private final List<FieldError> errors;

    private StructuralRules(List<FieldError> errors) {
        this.errors = errors;
    }

    static void check(ObjectNode schema, String path, List<FieldError> errors) {
        new StructuralRules(errors).node(schema, Level.ROOT, path);
        new NestedSchemas(errors).complete(schema, schema, path, path);
    }

    private void node(JsonNode schema, Level level, String path) {
        String type = schema.path("type").asText("");
        if (type.equals("array") && !schema.has("items")) {
            required(path, "items", "must be specified");
        }
        if (schema.path("items").isObject()) {
            node(schema.path("items"), Level.ITEM, FieldPath.child(path, "items"));
        }
        for (Map.Entry<String, JsonNode> property : DefinitionSchema.members(schema, "properties")) {
            node(
                    property.getValue(),
                    Level.FIELD,
                    FieldPath.key(FieldPath.child(path, "properties"), property.getKey()));
        }
        if (schema.has("additionalProperties")) {
            String at = FieldPath.child(path, "additionalProperties");
            if (level == Level.ROOT) {
                errors.add(FieldError.forbidden(at, "must not be used at the root"));
            }
            if (schema.path("additionalProperties").isObject()) {
                node(schema.path("additionalProperties"), Level.FIELD, at);
            }
        }
        extensions(schema, path);
        new NestedSchemas(errors).limits(schema, path);
        type(schema, type, level, path);
        metadata(schema, level, path);
    }

    private void extensions(JsonNode schema, String path) {
        if (!schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
            return;
        }
        for (String other : List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
            if (schema.path(other).asBoolean(false)) {
                invalid(path, other, "true", "must be false if x-kubernetes-int-or-string is true");
            }
        }
    }

    private void type(JsonNode schema, String type, Level level, String path) {
        boolean open = schema.path("x-kubernetes-int-or-string").asBoolean(false)
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
        boolean embedded = schema.path("x-kubernetes-embedded-resource").asBoolean(false);
        if (embedded && !type.equals("object")) {
            String detail = "must be object if x-kubernetes-embedded-resource is true";
            if (type.isEmpty()) {
                required(path, "type", detail);
            } else {
                invalid(path, "type", quote(type), detail);
            }
        } else if (type.isEmpty() && !open) {
            required(path, "type", level.needsType);
        }
        if (embedded && schema.has("additionalProperties")) {
            errors.add(FieldError.forbidden(
                    FieldPath.child(path, "additionalProperties"),
                    "must not be used if x-kubernetes-embedded-resource is set"));
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            invalid(path, "type", quote(type), "must be object at the root");
        }
        if (embedded && !open && schema.path("properties").isEmpty()) {
            required(
                    path,
                    "properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without "
                            + "x-kubernetes-preserve-unknown-fields");
        }
    }

    /** What every resource has is not described again. */
    private void metadata(JsonNode schema, Level level, String path) {
        boolean resource = level == Level.ROOT
                || schema.path("x-kubernetes-embedded-resource").asBoolean(false);
        for (String name : META_TEXTS) {
            JsonNode text = schema.path("properties").path(name);
            if (resource && text.isObject() && !text.path("type").asText("").equals("string")) {
                invalid(
                        FieldPath.key(FieldPath.child(path, "properties"), name),
                        "type",
                        text.path("type").toString(),
                        "must be string");
            }
        }
        JsonNode metadata = schema.path("properties").path("metadata");
        String at = FieldPath.key(FieldPath.child(path, "properties"), "metadata");
        if (resource && metadata.isObject() && !metadata.path("type").asText("").equals("object")) {
            invalid(at, "type", metadata.path("type").toString(), "must be object");
        }
        if (level == Level.ROOT && metadata.isObject() && saysMoreThanNames(metadata)) {
            errors.add(FieldError.forbidden(
                    at,
                    "must not specify anything other than name and generateName, but metadata is implicitly "
                            + "specified"));
        }
    }

    private static boolean saysMoreThanNames(JsonNode metadata) {
        boolean others = metadata.propertyStream()
                .anyMatch(member -> !Set.of("type", "properties", "default").contains(member.getKey()));
        boolean otherFields = metadata.path("properties")
                .propertyStream()
                .anyMatch(member -> !Set.of("name", "generateName").contains(member.getKey()));
        return others || otherFields;
    }

    static void pattern(JsonNode schema, String path, List<FieldError> errors) {
        String pattern = schema.path("pattern").asText("");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            errors.add(FieldError.invalid(
                    FieldPath.child(path, "pattern"),
                    quote(pattern),
                    "must be a valid regular expression, but isn't: " + e.getDescription()));
        }
    }

    private void required(String path, String keyword, String detail) {
        errors.add(FieldError.required(FieldPath.child(path, keyword), detail));
    }

    private void invalid(String path, String keyword, String value, String detail) {
        errors.add(FieldError.invalid(FieldPath.child(path, keyword), value, detail));
    }

    private static String quote(String text) {
        return "\"" + text + "\"";
    }
}
