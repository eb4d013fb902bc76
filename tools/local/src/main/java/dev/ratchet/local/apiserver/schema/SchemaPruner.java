/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Removes, in place, the fields that a schema does not know, and reports their paths. */
public final class SchemaPruner {

    private SchemaPruner() {}

    public static void prune(Schema schema, JsonNode value, String path, List<String> removed) {
        if (value instanceof ObjectNode object) {
            pruneObject(schema, object, path, removed);
        } else if (value instanceof ArrayNode array) {
            Schema items = schema.items();
            if (items != null) {
                for (int i = 0; i < array.size(); i++) {
                    prune(items, array.get(i), FieldPath.index(path, i), removed);
                }
            }
        }
    }

    private static void pruneObject(Schema schema, ObjectNode object, String path, List<String> removed) {
        boolean keepsUnknown = schema.keepsUnknownFields();
        boolean isTyped = schema.hasProperties() || schema.type().equals("object");
        for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
            String name = entry.getKey();
            Schema field = schema.field(name);
            if (field != null) {
                prune(field, entry.getValue(), FieldPath.child(path, name), removed);
            } else if (isTyped && !keepsUnknown && !isPartOfEmbeddedResource(schema, name)) {
                object.remove(name);
                removed.add(FieldPath.child(path, name));
            }
        }
    }

    private static boolean isPartOfEmbeddedResource(Schema schema, String name) {
        return schema.flag("x-kubernetes-embedded-resource")
                && (name.equals("apiVersion") || name.equals("kind") || name.equals("metadata"));
    }
}
