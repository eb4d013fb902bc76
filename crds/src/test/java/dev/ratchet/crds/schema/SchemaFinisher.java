/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Walks a schema beside the classes it was made from and adds what the generator does not know: defaults (the initial
 * values of the fields, whole: the rules of an object run against its default as it is written), number formats, keys
 * of lists, patterns of quantities, what a change costs, and the rules that forbid one.
 */
final class SchemaFinisher {
    private static final int QUANTITY_LENGTH_MAX = 32;

    /** Of a text in a list. */
    private static final int ITEM_LENGTH_MAX = 253;

    private SchemaFinisher() {}

    /** Finishes the schema of one part and of everything in it. {@code path} is what messages call it. */
    static void finish(ObjectNode schema, Class<?> part, String path, @Nullable ChangeImpact around) {
        OnChange ofClass = part.getAnnotation(OnChange.class);
        if (ofClass != null && ofClass.value() == ChangeImpact.IMMUTABLE) {
            addRule(schema, "self == oldSelf", path + " can not be changed; make a new object instead");
        }
        for (ModelField field : ModelField.of(part, around)) {
            ObjectNode node = (ObjectNode) schema.path("properties").required(field.name());
            finish(node, field, path + "." + field.name());
            if (field.change() == ChangeImpact.IMMUTABLE && field.markedItself()) {
                addRule(
                        schema,
                        immutable(field),
                        path + "." + field.name() + " can not be changed; make a new object instead");
            }
        }
    }

    private static void finish(ObjectNode node, ModelField field, String path) {
        String description = field.description();
        if (field.isPart() && !field.isList() && !field.isMap()) {
            finish(node, field.type(), path, field.change());
        } else {
            description += cost(field.change());
        }
        if (field.isList()) {
            finishList(node, field, path);
        } else if (field.isMap()) {
            ObjectNode values = (ObjectNode) node.required("additionalProperties");
            finishScalar(values, field.type());
            node.put("maxProperties", size(field));
        } else if (field.type() == PodTemplateSpec.class) {
            node.setAll(PodTemplateSchema.schema());
        } else {
            finishScalar(node, field.type());
        }
        node.put("description", description);
        JsonNode initial = field.initialValue();
        boolean ofSpec = field.change() != null || field.isPart();
        if (ofSpec && initial != null && says(initial)) {
            node.set("default", initial);
        }
    }

    private static void finishList(ObjectNode node, ModelField field, String path) {
        ObjectNode items = (ObjectNode) node.required("items");
        if (field.type() == Condition.class) {
            items.removeAll();
            items.setAll(ConditionSchema.schema());
        } else if (field.isPart()) {
            finish(items, field.type(), path + "[]", field.change());
        } else {
            items.put("maxLength", ITEM_LENGTH_MAX);
        }
        node.put("maxItems", size(field));
        ListMapKey key = field.field().getAnnotation(ListMapKey.class);
        node.put("x-kubernetes-list-type", key == null ? "atomic" : "map");
        if (key != null) {
            node.putArray("x-kubernetes-list-map-keys").add(key.value());
        }
    }

    private static void finishScalar(ObjectNode node, Class<?> type) {
        if (type == Quantity.class) {
            node.put("pattern", Patterns.QUANTITY).put("maxLength", QUANTITY_LENGTH_MAX);
        } else if (type == int.class || type == Integer.class) {
            node.put("format", "int32");
        } else if (type == long.class || type == Long.class) {
            node.put("format", "int64");
        }
        for (String bound : new String[] {"minimum", "maximum"}) {
            if (node.path(bound).isNumber()) {
                node.put(bound, node.path(bound).longValue());
            }
        }
    }

    private static long size(ModelField field) {
        Size size = field.field().getAnnotation(Size.class);
        if (size == null) {
            throw new IllegalStateException(field.field() + " has no limit: add @Size(max = …)");
        }
        return size.max();
    }

    /** Whether an initial value is worth a default: what is empty means absent. */
    private static boolean says(JsonNode value) {
        return value.isValueNode() ? !value.asText().isEmpty() : !value.isEmpty();
    }

    private static String immutable(ModelField field) {
        String name = field.name();
        JsonNode initial = field.initialValue();
        if (field.required() || (initial != null && says(initial))) {
            return "self." + name + " == oldSelf." + name;
        }
        if (field.type() == String.class) {
            return "(has(self." + name + ") ? self." + name + " : '') == (has(oldSelf." + name + ") ? oldSelf." + name
                    + " : '')";
        }
        return "has(self." + name + ") == has(oldSelf." + name + ") && (!has(self." + name + ") || self." + name
                + " == oldSelf." + name + ")";
    }

    private static String cost(@Nullable ChangeImpact change) {
        return change == null
                ? ""
                : switch (change) {
                    case UPGRADE -> " A change replaces pods.";
                    case LAYOUT -> " A change moves work between workers.";
                    case LIVE -> " A change applies at once.";
                    case REFUSED -> " This release accepts no other value later.";
                    case IMMUTABLE -> " It can not be changed.";
                };
    }

    private static void addRule(ObjectNode schema, String rule, String message) {
        JsonNode rules = schema.get("x-kubernetes-validations");
        ArrayNode list = rules == null ? schema.putArray("x-kubernetes-validations") : (ArrayNode) rules;
        list.addObject().put("message", message).put("rule", rule);
    }
}
