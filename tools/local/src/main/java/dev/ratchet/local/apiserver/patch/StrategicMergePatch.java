/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch on built-in kinds: as a merge patch, but lists with a merge key merge item by item, and the
 * directives {@code $patch}, {@code $retainKeys}, {@code $deleteFromPrimitiveList/…} and {@code $setElementOrder/…} are
 * obeyed.
 */
public final class StrategicMergePatch {

    private static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";

    private StrategicMergePatch() {}

    /** A new node; neither argument changes. */
    public static ObjectNode apply(Schema schema, ObjectNode target, ObjectNode patch) {
        String directive = patch.path(DIRECTIVE).asText("");
        ObjectNode result = directive.equals("replace") ? Json.object() : target.deepCopy();
        if (directive.equals("delete")) {
            return Json.object();
        }
        retainKeys(result, patch);
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            String name = change.getKey();
            if (name.startsWith(DELETE_FROM)) {
                deleteFrom(result, name.substring(DELETE_FROM.length()), change.getValue());
            } else if (!name.startsWith("$")) {
                applyField(schema.fieldOrAny(name), result, name, change.getValue());
            }
        }
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            if (change.getKey().startsWith(ORDER)) {
                String name = change.getKey().substring(ORDER.length());
                order(schema.fieldOrAny(name), result, name, change.getValue());
            }
        }
        return result;
    }

    private static void applyField(Schema schema, ObjectNode result, String name, JsonNode value) {
        JsonNode before = result.get(name);
        if (value.isNull()) {
            result.remove(name);
        } else if (value instanceof ObjectNode object) {
            result.set(name, apply(schema, before instanceof ObjectNode old ? old : Json.object(), object));
        } else if (value instanceof ArrayNode items
                && schema.text("x-kubernetes-patch-strategy").startsWith("merge")) {
            result.set(name, mergeList(schema, before instanceof ArrayNode old ? old : array(), items));
        } else {
            result.set(name, value.deepCopy());
        }
    }

    private static ArrayNode mergeList(Schema schema, ArrayNode before, ArrayNode changes) {
        String key = schema.text("x-kubernetes-patch-merge-key");
        List<JsonNode> items = new ArrayList<>();
        boolean replaces = false;
        for (JsonNode change : changes) {
            replaces |= change.path(DIRECTIVE).asText("").equals("replace") && !change.has(key);
        }
        if (!replaces) {
            before.forEach(items::add);
        }
        for (JsonNode change : changes) {
            if (key.isEmpty()) {
                if (!items.contains(change)) {
                    items.add(change.deepCopy());
                }
            } else if (change instanceof ObjectNode object && object.has(key)) {
                mergeItem(schema.itemsOrAny(), items, key, object);
            } else if (!change.has(DIRECTIVE)) {
                throw ApiException.badRequest("map: " + change + " does not contain declared merge key: " + key);
            }
        }
        return array().addAll(items);
    }

    private static void mergeItem(Schema schema, List<JsonNode> items, String key, ObjectNode change) {
        int at = indexOf(items, key, change.path(key));
        if (change.path(DIRECTIVE).asText("").equals("delete")) {
            if (at >= 0) {
                items.remove(at);
            }
            return;
        }
        ObjectNode old = at >= 0 && items.get(at) instanceof ObjectNode object ? object : Json.object();
        ObjectNode merged = apply(schema, old, change);
        if (at >= 0) {
            items.set(at, merged);
        } else {
            items.add(merged);
        }
    }

    private static int indexOf(List<JsonNode> items, String key, JsonNode value) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).path(key).equals(value)) {
                return i;
            }
        }
        return -1;
    }

    private static void retainKeys(ObjectNode result, ObjectNode patch) {
        if (patch.get(RETAIN_KEYS) instanceof ArrayNode kept) {
            List<String> names = new ArrayList<>();
            kept.forEach(name -> names.add(name.asText()));
            result.retain(names);
        }
    }

    private static void deleteFrom(ObjectNode result, String name, JsonNode values) {
        if (result.get(name) instanceof ArrayNode list) {
            ArrayNode kept = array();
            for (JsonNode item : list) {
                if (!contains(values, item)) {
                    kept.add(item);
                }
            }
            result.set(name, kept);
        }
    }

    private static boolean contains(JsonNode values, JsonNode item) {
        for (JsonNode value : values) {
            if (value.equals(item)) {
                return true;
            }
        }
        return false;
    }

    /** Puts the named items first, in the order given; items that it does not name keep their order after them. */
    private static void order(Schema schema, ObjectNode result, String name, JsonNode wanted) {
        if (!(result.get(name) instanceof ArrayNode list)) {
            return;
        }
        String key = schema.text("x-kubernetes-patch-merge-key");
        List<JsonNode> remaining = new ArrayList<>();
        list.forEach(remaining::add);
        ArrayNode ordered = array();
        for (JsonNode item : wanted) {
            JsonNode found = take(remaining, key, item);
            if (found != null) {
                ordered.add(found);
            }
        }
        result.set(name, ordered.addAll(remaining));
    }

    private static @Nullable JsonNode take(List<JsonNode> items, String key, JsonNode wanted) {
        for (int i = 0; i < items.size(); i++) {
            JsonNode item = items.get(i);
            if (key.isEmpty() ? item.equals(wanted) : item.path(key).equals(wanted.path(key))) {
                return items.remove(i);
            }
        }
        return null;
    }

    private static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }
}
