/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.schema.FieldPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What stands in {@code allOf}, {@code anyOf}, {@code oneOf} and {@code not}: limits of values that are declared. */
final class NestedSchemas {
    private static final JsonNode INT_OR_STRING = JsonNodeFactory.instance
            .arrayNode()
            .add(Json.object().put("type", "integer"))
            .add(Json.object().put("type", "string"));

    /** Keywords that may not stand there, with what they would have to be. */
    private static final Map<String, String> FORBIDDEN = forbidden();

    private final List<FieldError> errors;

    NestedSchemas(List<FieldError> errors) {
        this.errors = errors;
    }

    private static Map<String, String> forbidden() {
        Map<String, String> keywords = new LinkedHashMap<>();
        keywords.put("type", "must be empty to be structural");
        keywords.put("additionalProperties", "must be undefined to be structural");
        keywords.put("default", "must be undefined to be structural");
        keywords.put("title", "must be empty to be structural");
        keywords.put("description", "must be empty to be structural");
        keywords.put("nullable", "must be false to be structural");
        keywords.put("x-kubernetes-preserve-unknown-fields", "must be false to be structural");
        keywords.put("x-kubernetes-embedded-resource", "must be false to be structural");
        keywords.put("x-kubernetes-int-or-string", "must be false to be structural");
        keywords.put("x-kubernetes-list-map-keys", "must be empty to be structural");
        keywords.put("x-kubernetes-list-type", "must be undefined to be structural");
        keywords.put("x-kubernetes-map-type", "must be undefined to be structural");
        keywords.put("x-kubernetes-validations", "must be empty to be structural");
        return keywords;
    }

    /** Checks the limits that a node sets: its pattern, and the schemas nested in it. */
    void limits(JsonNode schema, String path) {
        limits(schema, path, schema.path("anyOf").equals(INT_OR_STRING), isIntOrString(schema.path("allOf")));
    }

    /** The form that a value of either type had before there was a keyword for it. */
    private static boolean isIntOrString(JsonNode allOf) {
        return allOf.path(0).path("anyOf").equals(INT_OR_STRING);
    }

    private void limits(JsonNode schema, String path, boolean skipsAny, boolean skipsAnyOfFirst) {
        StructuralRules.pattern(schema, path, errors);
        each(schema, "anyOf", path, (nested, at, index) -> {
            if (!skipsAny) {
                nested(nested, at, false);
            }
        });
        each(schema, "allOf", path, (nested, at, index) -> nested(nested, at, skipsAnyOfFirst && index == 0));
        each(schema, "oneOf", path, (nested, at, index) -> nested(nested, at, false));
        if (schema.path("not").isObject()) {
            nested(schema.path("not"), FieldPath.child(path, "not"), false);
        }
    }

    private void nested(JsonNode schema, String path, boolean skipsAny) {
        limits(schema, path, skipsAny, false);
        if (schema.path("items").isObject()) {
            nested(schema.path("items"), FieldPath.child(path, "items"), false);
        }
        for (Map.Entry<String, JsonNode> property : DefinitionSchema.members(schema, "properties")) {
            nested(property.getValue(), FieldPath.key(FieldPath.child(path, "properties"), property.getKey()), false);
        }
        FORBIDDEN.forEach((keyword, detail) -> {
            if (schema.has(keyword) && !schema.path(keyword).equals(BooleanNode.FALSE)) {
                errors.add(FieldError.forbidden(FieldPath.child(path, keyword), detail));
            }
        });
        if (schema.path("properties").has("metadata")) {
            errors.add(FieldError.forbidden(
                    FieldPath.key(FieldPath.child(path, "properties"), "metadata"),
                    "must not be specified in a nested context"));
        }
    }

    /** What has a limit is declared: each nested node has its counterpart below {@code declared}. */
    void complete(JsonNode limits, JsonNode declared, String declaredPath, String path) {
        for (String keyword : List.of("allOf", "anyOf", "oneOf")) {
            each(limits, keyword, path, (nested, at, index) -> inside(nested, declared, declaredPath, at));
        }
        if (limits.path("not").isObject()) {
            inside(limits.path("not"), declared, declaredPath, FieldPath.child(path, "not"));
        }
    }

    private void inside(JsonNode nested, JsonNode declared, String declaredPath, String path) {
        complete(nested, declared, declaredPath, path);
        if (nested.path("items").isObject()) {
            counterpart(
                    nested.path("items"),
                    declared.path("items"),
                    FieldPath.child(declaredPath, "items"),
                    FieldPath.child(path, "items"));
        }
        for (Map.Entry<String, JsonNode> property : DefinitionSchema.members(nested, "properties")) {
            counterpart(
                    property.getValue(),
                    declared.path("properties").path(property.getKey()),
                    FieldPath.key(FieldPath.child(declaredPath, "properties"), property.getKey()),
                    FieldPath.key(FieldPath.child(path, "properties"), property.getKey()));
        }
    }

    private void counterpart(JsonNode nested, JsonNode declared, String declaredPath, String path) {
        if (declared.isObject()) {
            inside(nested, declared, declaredPath, path);
        } else {
            errors.add(FieldError.required(declaredPath, "because it is defined in " + path));
        }
    }

    private interface Visitor {
        void visit(JsonNode nested, String path, int index);
    }

    private static void each(JsonNode schema, String keyword, String path, Visitor visitor) {
        JsonNode list = schema.path(keyword);
        for (int i = 0; i < list.size(); i++) {
            visitor.visit(list.get(i), FieldPath.index(FieldPath.child(path, keyword), i), i);
        }
    }
}
