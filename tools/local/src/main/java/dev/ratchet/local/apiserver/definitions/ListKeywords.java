/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.schema.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What decides how lists and maps are merged: their kind, and what tells the items of a list apart. */
final class ListKeywords {
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String MAP_TYPE = "x-kubernetes-map-type";
    private static final String KEYS = "x-kubernetes-list-map-keys";

    private final JsonNode schema;
    private final JsonNode items;
    private final String path;
    private final List<FieldError> errors;

    ListKeywords(JsonNode schema, String path, List<FieldError> errors) {
        this.schema = schema;
        this.items = schema.path("items");
        this.path = path;
        this.errors = errors;
    }

    void check() {
        ofType(MAP_TYPE, "object", List.of("atomic", "granular"));
        ofType(LIST_TYPE, "array", List.of("atomic", "set", "map"));
        String kind = schema.path(LIST_TYPE).asText("");
        if (kind.equals("set") && schema.path("type").asText("").equals("array")) {
            itemsOfSet();
        }
        if (!schema.path(KEYS).isEmpty() && !kind.equals("map")) {
            String detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            if (kind.isEmpty()) {
                errors.add(FieldError.required(at(LIST_TYPE), detail));
            } else {
                errors.add(FieldError.invalid(at(LIST_TYPE), quote(kind), detail));
            }
        }
        if (kind.equals("map")) {
            keys();
        }
        if ((kind.equals("map") || kind.equals("set")) && items.path("nullable").asBoolean(false)) {
            errors.add(FieldError.forbidden(
                    at("items.nullable"), "cannot be nullable when x-kubernetes-list-type is " + kind));
        }
    }

    private void ofType(String keyword, String wanted, List<String> known) {
        if (!schema.has(keyword)) {
            return;
        }
        String type = schema.path("type").asText("");
        String detail = "must be " + wanted + " if " + keyword + " is specified";
        if (type.isEmpty()) {
            errors.add(FieldError.required(at("type"), detail));
        } else if (!type.equals(wanted)) {
            errors.add(FieldError.invalid(at("type"), quote(type), detail));
        }
        String value = schema.path(keyword).asText("");
        if (!known.contains(value)) {
            List<String> quoted = known.stream().map(ListKeywords::quote).toList();
            errors.add(FieldError.unsupported(at(keyword), quote(value), String.join(", ", quoted)));
        }
    }

    /** They are compared as a whole. */
    private void itemsOfSet() {
        String type = items.path("type").asText("");
        String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        String inner = items.path(LIST_TYPE).asText("atomic");
        if (type.equals("array") && !inner.equals("atomic")) {
            errors.add(FieldError.invalid(at("items." + LIST_TYPE), quote(inner), detail));
        }
        if (type.equals("object") && !items.path(MAP_TYPE).asText("").equals("atomic")) {
            errors.add(FieldError.invalid(at("items." + MAP_TYPE), "null", detail));
        }
    }

    private void keys() {
        if (schema.path(KEYS).isEmpty()) {
            errors.add(FieldError.required(at(KEYS), "must not be empty if x-kubernetes-list-type is map"));
        }
        if (items.isMissingNode()) {
            errors.add(FieldError.required(at("items"), "must have a schema if x-kubernetes-list-type is map"));
            return;
        }
        String type = items.path("type").asText("");
        if (!type.equals("object")) {
            errors.add(FieldError.invalid(
                    at("items.type"), quote(type), "must be object if parent array's x-kubernetes-list-type is map"));
            return;
        }
        Set<String> required = new HashSet<>();
        items.path("required").forEach(name -> required.add(name.asText()));
        Set<String> seen = new HashSet<>();
        for (JsonNode key : schema.path(KEYS)) {
            key(key.asText(), required.contains(key.asText()));
            if (!seen.add(key.asText())) {
                errors.add(FieldError.invalid(
                        at(KEYS), schema.path(KEYS).toString(), "must not contain duplicate entries"));
            }
        }
    }

    private void key(String name, boolean required) {
        JsonNode property = items.path("properties").path(name);
        String inside = at("items.properties[" + name + "]");
        if (property.isMissingNode()) {
            errors.add(FieldError.invalid(
                    at(KEYS), schema.path(KEYS).toString(), "entries must all be names of item properties"));
            return;
        }
        if (Set.of("array", "object").contains(property.path("type").asText(""))) {
            errors.add(FieldError.invalid(
                    inside + ".type",
                    items.path("type").toString(),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map"));
        }
        if (!required && !property.has("default")) {
            errors.add(FieldError.required(
                    inside + ".default",
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required "
                            + "property"));
        }
        if (property.path("nullable").asBoolean(false)) {
            errors.add(FieldError.forbidden(
                    inside + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
        }
    }

    private String at(String keyword) {
        return FieldPath.child(path, keyword);
    }

    private static String quote(String text) {
        return "\"" + text + "\"";
    }
}
