/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Owns the strategic merge of pod templates as kubectl does it: maps field by field, lists with a merge key element by
 * element, other lists as a whole. Order: what was there stays in place, what is new follows.
 */
final class StrategicMerge {
    /** Merge keys of the lists in a pod; by the name of the list alone, which is unambiguous there. */
    private static final Map<String, String> MERGE_KEYS = Map.ofEntries(
            Map.entry("containers", "name"),
            Map.entry("initContainers", "name"),
            Map.entry("ephemeralContainers", "name"),
            Map.entry("env", "name"),
            Map.entry("volumes", "name"),
            Map.entry("volumeMounts", "mountPath"),
            Map.entry("volumeDevices", "devicePath"),
            Map.entry("ports", "containerPort"),
            Map.entry("imagePullSecrets", "name"),
            Map.entry("hostAliases", "ip"),
            Map.entry("topologySpreadConstraints", "topologyKey"),
            Map.entry("resourceClaims", "name"));

    private StrategicMerge() {}

    static JsonNode merge(JsonNode base, JsonNode over) {
        if (!base.isObject() || !over.isObject()) {
            return over.deepCopy();
        }
        ObjectNode merged = base.deepCopy();
        for (Map.Entry<String, JsonNode> field : over.properties()) {
            if (!field.getValue().isNull()) {
                merged.set(field.getKey(), mergeField(field.getKey(), merged.get(field.getKey()), field.getValue()));
            }
        }
        return merged;
    }

    private static JsonNode mergeField(String name, @Nullable JsonNode base, JsonNode over) {
        if (base == null) {
            return over.deepCopy();
        }
        String key = MERGE_KEYS.get(name);
        if (over.isArray() && base.isArray() && key != null) {
            return mergeList(base, over, key);
        }
        return merge(base, over);
    }

    private static ArrayNode mergeList(JsonNode base, JsonNode over, String key) {
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        for (JsonNode element : base) {
            JsonNode same = find(over, key, element);
            merged.add(same == null ? element.deepCopy() : mergeElement(element, same));
        }
        for (JsonNode element : over) {
            if (find(base, key, element) == null) {
                merged.add(element.deepCopy());
            }
        }
        return merged;
    }

    /** A variable or a volume has one source: with a new one the old one goes. */
    private static JsonNode mergeElement(JsonNode base, JsonNode over) {
        JsonNode merged = merge(base, over);
        if (merged instanceof ObjectNode object && over.has("value") != over.has("valueFrom")) {
            object.remove(over.has("value") ? "valueFrom" : "value");
        }
        return merged;
    }

    private static @Nullable JsonNode find(JsonNode list, String key, JsonNode like) {
        for (JsonNode element : list) {
            if (element.has(key) && element.get(key).equals(like.get(key))) {
                return element;
            }
        }
        return null;
    }
}
