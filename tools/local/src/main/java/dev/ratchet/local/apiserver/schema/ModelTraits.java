/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * What the model classes do not say about built-in types, from {@code model-traits.yaml}: keys of lists, atomic maps,
 * required fields, defaults, words.
 */
final class ModelTraits {

    private static final Set<String> METADATA = Set.of(
            "ObjectMeta",
            "ListMeta",
            "OwnerReference",
            "ManagedFieldsEntry",
            "FieldsV1",
            "LabelSelector",
            "LabelSelectorRequirement",
            "Status",
            "StatusDetails",
            "StatusCause",
            "Condition",
            "DeleteOptions",
            "Preconditions",
            "MicroTime");
    private static final Set<String> OPAQUE = Set.of(
            "FieldsV1",
            "JSONSchemaProps",
            "RawExtension",
            "KubernetesResource",
            "HasMetadata",
            "Duration",
            "GenericKubernetesResource");

    private final JsonNode table;

    private ModelTraits(JsonNode table) {
        this.table = table;
    }

    static ModelTraits load() {
        try (InputStream in = ModelTraits.class.getResourceAsStream("model-traits.yaml")) {
            if (in == null) {
                throw new IllegalStateException("model-traits.yaml is missing from the class path");
            }
            return new ModelTraits(Json.read(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("model-traits.yaml can not be read", e);
        }
    }

    static boolean isMetadata(String type) {
        return METADATA.contains(type);
    }

    /** Types that hold anything. */
    static boolean isOpaque(String type) {
        return OPAQUE.contains(type);
    }

    boolean isAtomic(String type) {
        for (JsonNode name : table.path("atomic")) {
            if (name.asText().equals(type)) {
                return true;
            }
        }
        return false;
    }

    String description(String type) {
        return table.path("descriptions").path(type).asText("");
    }

    ArrayNode required(String type) {
        return table.path("required").get(type) instanceof ArrayNode names
                ? names
                : JsonNodeFactory.instance.arrayNode();
    }

    /**
     * Adds what is known of field {@code type.field} to its schema. A reference takes no siblings, so only a default is
     * added to one.
     */
    void decorate(String type, String field, ObjectNode schema) {
        String name = type + "." + field;
        JsonNode keys = table.path("lists").get(name);
        if (keys != null && schema.path("type").asText().equals("array")) {
            if (keys.isTextual()) {
                schema.put("x-kubernetes-list-type", keys.asText());
                schema.put("x-kubernetes-patch-strategy", "merge");
            } else {
                schema.put("x-kubernetes-list-type", "map");
                schema.set("x-kubernetes-list-map-keys", keys.deepCopy());
                schema.put("x-kubernetes-patch-strategy", "merge");
                schema.put("x-kubernetes-patch-merge-key", keys.get(0).asText());
            }
        }
        JsonNode fallback = table.path("defaults").get(name);
        if (fallback != null) {
            schema.set("default", fallback.deepCopy());
        }
        String description = table.path("descriptions").path(name).asText("");
        if (!description.isEmpty() && !schema.has("$ref")) {
            schema.put("description", description);
        }
    }
}
