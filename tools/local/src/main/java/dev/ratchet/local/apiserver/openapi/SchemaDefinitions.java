/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The named schemas behind some kinds: those of the kinds themselves, marked with their group, version and kind, and
 * all that they refer to.
 */
final class SchemaDefinitions {

    private static final Set<String> NOT_PUBLISHED = Set.of("x-kubernetes-validations");

    private final ResourceRegistry registry;

    SchemaDefinitions(ResourceRegistry registry) {
        this.registry = registry;
    }

    /** All definitions for {@code types}, by name; references are as in OpenAPI v2. */
    Map<String, ObjectNode> of(List<ResourceType> types) {
        Map<String, ObjectNode> found = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>();
        for (ResourceType type : types) {
            ObjectNode schema = type.schema().source().deepCopy();
            schema.putArray("x-kubernetes-group-version-kind").add(groupVersionKind(type));
            found.put(nameOf(type), schema);
            references(schema, open);
        }
        while (!open.isEmpty()) {
            String name = open.pop();
            ObjectNode source = registry.schemas().definitions().get(name);
            if (source != null && !found.containsKey(name)) {
                ObjectNode schema = source.deepCopy();
                found.put(name, schema);
                references(schema, open);
            }
        }
        found.values().forEach(SchemaDefinitions::unpublish);
        return found;
    }

    static ObjectNode groupVersionKind(ResourceType type) {
        return Json.object().put("group", type.group()).put("kind", type.kind()).put("version", type.version());
    }

    /** Custom kinds are named by their group read backwards, as on the real server. */
    static String nameOf(ResourceType type) {
        List<String> parts = Arrays.asList((type.group().isEmpty() ? "core" : type.group()).split("\\.", -1));
        Collections.reverse(parts);
        String prefix = type.custom() ? String.join(".", parts) : "io.k8s.api." + parts.get(parts.size() - 1);
        return prefix + "." + type.version() + "." + type.kind();
    }

    private static void references(JsonNode node, Deque<String> open) {
        Set<String> names = new TreeSet<>();
        node.findValues("$ref")
                .forEach(reference -> names.add(reference.asText().substring("#/definitions/".length())));
        open.addAll(names);
    }

    private static void unpublish(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(NOT_PUBLISHED);
        }
        node.forEach(SchemaDefinitions::unpublish);
    }

    /** Changes a schema, in place, into what OpenAPI v2 and its readers understand. */
    static void toVersion2(JsonNode node) {
        if (node instanceof ObjectNode schema) {
            if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
                schema.put("type", "string").put("format", "int-or-string");
            }
            // A reader of v2 would refuse the fields that the schema lets pass.
            if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
                    && schema.path("properties").isObject()) {
                schema.remove(List.of("properties", "required"));
            }
            if (schema.path("type").isTextual()) {
                schema.remove(List.of("nullable", "anyOf", "oneOf", "allOf", "not", "default"));
            }
        }
        node.forEach(SchemaDefinitions::toVersion2);
    }

    /** Changes a schema, in place, into OpenAPI v3: references point elsewhere, either-or is said in its words. */
    static void toVersion3(JsonNode node) {
        if (node instanceof ObjectNode schema) {
            if (schema.path("x-kubernetes-int-or-string").asBoolean(false) && !schema.has("anyOf")) {
                ArrayNode either = schema.putArray("anyOf");
                either.addObject().put("type", "integer");
                either.addObject().put("type", "string");
                schema.put("format", "int-or-string");
            }
            String reference = schema.path("$ref").asText("");
            if (!reference.isEmpty()) {
                schema.put("$ref", reference.replace("#/definitions/", "#/components/schemas/"));
            }
        }
        node.forEach(SchemaDefinitions::toVersion3);
    }
}
