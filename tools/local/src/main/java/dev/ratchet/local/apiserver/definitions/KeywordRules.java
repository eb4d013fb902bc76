/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.schema.FieldPath;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each keyword of a schema may be, node by node; and the rules of each node below which all keywords are right.
 */
final class KeywordRules {
    private static final Set<String> TYPES =
            new TreeSet<>(Set.of("array", "boolean", "integer", "null", "number", "object", "string"));
    private static final List<String> NOT_SUPPORTED =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");

    private final @Nullable RuleBudget budget;
    private final List<FieldError> errors;
    private final List<FieldError> ruleErrors;

    /** Rules are checked only if there is a budget for them. */
    KeywordRules(@Nullable RuleBudget budget, List<FieldError> errors, List<FieldError> ruleErrors) {
        this.budget = budget;
        this.errors = errors;
        this.ruleErrors = ruleErrors;
    }

    void check(JsonNode schema, SchemaPlace place) {
        Schema node = Schema.of(schema, Map.of());
        int before = errors.size();
        plain(schema, place);
        if (schema.path("additionalProperties").isObject()) {
            check(schema.path("additionalProperties"), place.values(node));
        }
        for (Map.Entry<String, JsonNode> property : DefinitionSchema.members(schema, "properties")) {
            check(property.getValue(), place.property(node, property.getKey()));
        }
        for (String keyword : List.of("allOf", "anyOf", "oneOf")) {
            for (int i = 0; i < schema.path(keyword).size(); i++) {
                withoutRules().check(schema.path(keyword).get(i), place.part(FieldPath.index(keyword, i)));
            }
        }
        if (schema.path("not").isObject()) {
            withoutRules().check(schema.path("not"), place.part("not"));
        }
        if (schema.path("items").isObject()) {
            check(schema.path("items"), place.items(node));
        }
        new ListKeywords(schema, place.path(), errors).check();
        messages(schema, place.path());
        if (budget != null && errors.size() == before) {
            RuleChecks.check(node, place, budget, ruleErrors);
        }
    }

    private KeywordRules withoutRules() {
        return new KeywordRules(null, errors, ruleErrors);
    }

    private void plain(JsonNode schema, SchemaPlace place) {
        String type = schema.path("type").asText("");
        if (!type.isEmpty() && !TYPES.contains(type)) {
            List<String> quoted =
                    TYPES.stream().map(known -> "\"" + known + "\"").toList();
            errors.add(FieldError.unsupported(
                    FieldPath.child(place.path(), "type"), "\"" + type + "\"", String.join(", ", quoted)));
        }
        if (type.equals("null")) {
            forbidden(place, "type", "type cannot be set to null, use nullable as an alternative");
        }
        if (schema.has("default") && place.forbidsDefault() != null) {
            forbidden(place, "default", "must not be set " + place.forbidsDefault());
        }
        for (String keyword : NOT_SUPPORTED) {
            if (schema.has(keyword)) {
                forbidden(place, keyword, keyword + " is not supported");
            }
        }
        if (schema.path("items").isArray()) {
            forbidden(place, "items", "items must be a schema object and not an array");
        }
        if (place.metadata() && schema.path("x-kubernetes-embedded-resource").asBoolean(false)) {
            forbidden(place, "x-kubernetes-embedded-resource", "must not be used inside of resource meta");
        }
        if (schema.path("uniqueItems").asBoolean(false)) {
            forbidden(
                    place,
                    "uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        JsonNode additional = schema.path("additionalProperties");
        if (!schema.path("properties").isEmpty()
                && schema.has("additionalProperties")
                && !additional.asBoolean(false)) {
            forbidden(place, "additionalProperties", "additionalProperties and properties are mutual exclusive");
        }
        String open = "x-kubernetes-preserve-unknown-fields";
        if (schema.has(open) && !schema.path(open).asBoolean(false)) {
            errors.add(FieldError.invalid(FieldPath.child(place.path(), open), "false", "must be true or undefined"));
        }
    }

    private void messages(JsonNode schema, String path) {
        JsonNode rules = schema.path("x-kubernetes-validations");
        for (int i = 0; i < rules.size(); i++) {
            String at = FieldPath.index(FieldPath.child(path, "x-kubernetes-validations"), i);
            String rule = rules.get(i).path("rule").asText("").strip();
            String message = rules.get(i).path("message").asText("");
            if (rule.isEmpty()) {
                errors.add(FieldError.required(FieldPath.child(at, "rule"), "rule is not specified"));
            } else if (!message.isEmpty() && message.isBlank()) {
                invalid(at, "message", message, "must be non-empty if specified");
            } else if (hasLines(message.strip())) {
                invalid(at, "message", message, "must not contain line breaks");
            } else if (hasLines(rule) && message.isBlank()) {
                errors.add(FieldError.required(
                        FieldPath.child(at, "message"), "message must be specified if rule contains line breaks"));
            }
        }
    }

    private static boolean hasLines(String text) {
        return text.contains("\n") || text.contains("\r");
    }

    private void invalid(String path, String keyword, String value, String detail) {
        errors.add(FieldError.invalid(FieldPath.child(path, keyword), "\"" + value + "\"", detail));
    }

    private void forbidden(SchemaPlace place, String keyword, String detail) {
        errors.add(FieldError.forbidden(FieldPath.child(place.path(), keyword), detail));
    }
}
