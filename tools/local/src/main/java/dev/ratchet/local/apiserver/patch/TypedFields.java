/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Objects as sets of fields, by their schema: objects are maps of fields, lists with map keys are maps of items, lists
 * of type set are sets of values; atomic lists, atomic objects and scalars are one field each.
 */
final class TypedFields {

    private TypedFields() {}

    /** All fields that {@code value} sets. */
    static FieldSet of(Schema schema, JsonNode value) {
        if (isMap(schema, value) && !value.isEmpty()) {
            FieldSet set = new FieldSet();
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                set.put("f:" + field.getKey(), of(schema.fieldOrAny(field.getKey()), field.getValue()));
            }
            return set;
        }
        if (isItems(schema, value) && !value.isEmpty()) {
            FieldSet set = new FieldSet();
            items(schema, value).forEach((element, item) -> set.put(element, ofItem(schema.itemsOrAny(), item)));
            return set;
        }
        return FieldSet.leaf();
    }

    private static FieldSet ofItem(Schema schema, JsonNode item) {
        FieldSet set = of(schema, item);
        set.addSelf();
        return set;
    }

    /** What a change from {@code before} to {@code after} sets anew or differently. */
    static FieldSet changed(Schema schema, @Nullable JsonNode before, JsonNode after) {
        if (before == null) {
            return of(schema, after);
        }
        FieldSet set = new FieldSet();
        if (isMap(schema, before) && isMap(schema, after) && !before.isEmpty() && !after.isEmpty()) {
            for (Map.Entry<String, JsonNode> field : after.properties()) {
                String name = field.getKey();
                set.put("f:" + name, changed(schema.fieldOrAny(name), before.get(name), field.getValue()));
            }
        } else if (isItems(schema, before) && isItems(schema, after) && !before.isEmpty() && !after.isEmpty()) {
            Map<String, JsonNode> old = items(schema, before);
            items(schema, after).forEach((element, item) -> {
                JsonNode previous = old.get(element);
                set.put(
                        element,
                        previous == null
                                ? ofItem(schema.itemsOrAny(), item)
                                : changed(schema.itemsOrAny(), previous, item));
            });
        } else if (!before.equals(after)) {
            return of(schema, after);
        }
        return set;
    }

    /** What a change from {@code before} to {@code after} no longer sets. */
    static FieldSet removed(Schema schema, JsonNode before, JsonNode after) {
        return of(schema, before).minus(of(schema, after));
    }

    /** {@code live} with all that {@code applied} sets. */
    static JsonNode merge(Schema schema, @Nullable JsonNode live, JsonNode applied) {
        if (live instanceof ObjectNode before && isMap(schema, before) && isMap(schema, applied)) {
            ObjectNode result = before.deepCopy();
            for (Map.Entry<String, JsonNode> field : applied.properties()) {
                String name = field.getKey();
                result.set(name, merge(schema.fieldOrAny(name), before.get(name), field.getValue()));
            }
            return result;
        }
        if (live != null && isItems(schema, live) && isItems(schema, applied)) {
            return mergeItems(schema, live, applied);
        }
        return applied.deepCopy();
    }

    /**
     * The order of the applied list, with the items that only the live one has in their old order before the next
     * shared one.
     */
    private static ArrayNode mergeItems(Schema schema, JsonNode live, JsonNode applied) {
        Map<String, JsonNode> old = items(schema, live);
        Map<String, JsonNode> wanted = items(schema, applied);
        Set<String> order = new LinkedHashSet<>();
        if (wanted.keySet().containsAll(old.keySet())) {
            order.addAll(wanted.keySet());
        } else {
            order.addAll(old.keySet());
            order.addAll(wanted.keySet());
        }
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        for (String element : order) {
            JsonNode before = old.get(element);
            JsonNode item = wanted.get(element);
            result.add(item == null ? before : merge(schema.itemsOrAny(), before, item));
        }
        return result;
    }

    /**
     * {@code object} without the fields in {@code gone}; an item goes as a whole when it is itself in {@code gone} and
     * nobody keeps a field of it.
     */
    static @Nullable JsonNode remove(Schema schema, JsonNode object, FieldSet gone, FieldSet kept) {
        if (gone.isEmpty()) {
            return object;
        }
        if (isMap(schema, object) && !gone.children().isEmpty()) {
            return removeFields(schema, (ObjectNode) object, gone, kept);
        }
        if (isItems(schema, object) && !gone.children().isEmpty()) {
            ArrayNode result = JsonNodeFactory.instance.arrayNode();
            items(schema, object).forEach((element, item) -> {
                FieldSet below = gone.child(element);
                FieldSet keptBelow = child(kept, element);
                JsonNode left = below == null
                        ? item
                        : isWhole(below, keptBelow) ? null : remove(schema.itemsOrAny(), item, below, keptBelow);
                if (left != null) {
                    result.add(left);
                }
            });
            return result.isEmpty() ? null : result;
        }
        return gone.isMember() && kept.isEmpty() ? null : object;
    }

    private static @Nullable JsonNode removeFields(Schema schema, ObjectNode object, FieldSet gone, FieldSet kept) {
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String element = "f:" + field.getKey();
            FieldSet below = gone.child(element);
            JsonNode left = below == null
                    ? field.getValue()
                    : remove(schema.fieldOrAny(field.getKey()), field.getValue(), below, child(kept, element));
            if (left != null) {
                result.set(field.getKey(), left);
            }
        }
        return result.isEmpty() ? null : result;
    }

    private static boolean isWhole(FieldSet gone, FieldSet kept) {
        return gone.isMember() && kept.isEmpty();
    }

    private static FieldSet child(FieldSet set, String element) {
        FieldSet found = set.child(element);
        return found == null ? new FieldSet() : found;
    }

    private static boolean isMap(Schema schema, JsonNode value) {
        return value.isObject() && !schema.isAtomicMap();
    }

    private static boolean isItems(Schema schema, JsonNode value) {
        return value.isArray() && !schema.listType().equals("atomic");
    }

    /** Items by their path element, in order; of items with the same keys the last one counts. */
    private static Map<String, JsonNode> items(Schema schema, JsonNode list) {
        Map<String, JsonNode> items = new LinkedHashMap<>();
        for (JsonNode item : list) {
            items.put(schema.listType().equals("map") ? keyElement(schema, item) : "v:" + item, item);
        }
        return items;
    }

    private static String keyElement(Schema schema, JsonNode item) {
        ObjectNode keys = Json.object();
        for (String key : schema.listMapKeys().stream().sorted().toList()) {
            JsonNode value = item.get(key);
            JsonNode fallback = schema.itemsOrAny().fieldOrAny(key).defaultValue();
            if (value != null || fallback != null) {
                keys.set(key, value == null ? fallback : value);
            }
        }
        return "k:" + keys;
    }
}
