/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the CEL rules of a schema over a value that the schema itself accepts. Rules that name {@code oldSelf} run
 * only where the old value of the same place is known: through fields, map entries and lists with map keys, not through
 * other lists.
 */
public final class CelValidator {

    private final List<FieldError> errors;

    private CelValidator(List<FieldError> errors) {
        this.errors = errors;
    }

    /** Adds the rules that {@code value}, which is at {@code path}, breaks to {@code errors}. */
    public static void validate(
            Schema schema, JsonNode value, @Nullable JsonNode oldValue, String path, List<FieldError> errors) {
        new CelValidator(errors).check(schema, value, oldValue, path);
    }

    /** Whether there is a rule in {@code schema} or below it, which is the schema of a definition. */
    public static boolean hasRules(Schema schema) {
        Schema items = schema.items();
        Schema additional = schema.additional();
        return !schema.rules().isEmpty()
                || schema.propertyNames().stream().anyMatch(name -> hasRules(schema.fieldOrAny(name)))
                || (items != null && hasRules(items))
                || (additional != null && additional != Schema.any() && hasRules(additional));
    }

    private void check(Schema schema, JsonNode value, @Nullable JsonNode oldValue, String path) {
        if (value.isNull()) {
            return;
        }
        checkRules(schema, value, oldValue, path);
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                Schema field = schema.field(entry.getKey());
                if (field != null) {
                    boolean isDeclared = schema.property(entry.getKey()) != null;
                    String at =
                            isDeclared ? FieldPath.child(path, entry.getKey()) : FieldPath.key(path, entry.getKey());
                    check(field, entry.getValue(), oldValue == null ? null : oldValue.get(entry.getKey()), at);
                }
            }
        } else if (value instanceof ArrayNode array && schema.items() != null) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode item = array.get(i);
                check(schema.itemsOrAny(), item, correlated(schema, item, oldValue), FieldPath.index(path, i));
            }
        }
    }

    private void checkRules(Schema schema, JsonNode value, @Nullable JsonNode oldValue, String path) {
        List<CelRule> rules = schema.rules();
        if (rules.isEmpty()) {
            return;
        }
        boolean hasOld = oldValue != null && !oldValue.isNull();
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", CelValues.of(schema, value));
        Object old = hasOld && oldValue != null ? CelValues.of(schema, oldValue) : null;
        for (CelRule rule : rules) {
            if (rule.isTransition() && old == null) {
                continue;
            }
            if (rule.wantsOptionalOldSelf()) {
                variables.put("oldSelf", Optional.ofNullable(old));
            } else if (old != null) {
                variables.put("oldSelf", old);
            }
            CelRule.Failure failure = rule.evaluate(variables);
            if (failure != null) {
                errors.add(error(rule, schema, path, value, failure));
            }
        }
    }

    private static FieldError error(CelRule rule, Schema schema, String path, JsonNode value, CelRule.Failure failure) {
        if (!failure.isFalse()) {
            String type = schema.type().isEmpty() ? "object" : schema.type();
            return FieldError.invalid(path, "\"" + type + "\"", failure.message());
        }
        String relative = rule.fieldPath();
        String at = path.isEmpty() && relative.startsWith(".") ? relative.substring(1) : path + relative;
        return switch (rule.reason()) {
            case "FieldValueForbidden" -> FieldError.forbidden(at, failure.message());
            case "FieldValueRequired" -> FieldError.required(at, failure.message());
            case "FieldValueDuplicate" ->
                value.isContainerNode() ? FieldError.duplicate(at) : FieldError.duplicate(at, value.toString());
            default ->
                value.isContainerNode()
                        ? FieldError.invalid(at, failure.message())
                        : FieldError.invalid(at, value.toString(), failure.message());
        };
    }

    private static @Nullable JsonNode correlated(Schema list, JsonNode item, @Nullable JsonNode oldList) {
        if (oldList == null || !list.listType().equals("map")) {
            return null;
        }
        List<String> keys = list.listMapKeys();
        for (JsonNode candidate : oldList) {
            if (keys.stream().allMatch(key -> candidate.path(key).equals(item.path(key)))) {
                return candidate;
            }
        }
        return null;
    }
}
