/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ratchet.crds.Definitions;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * A small part of a resource, put where it belongs in a resource that is otherwise good: what the schema requires
 * around and below the part is filled in, so that a server that refuses the whole refuses it for the part.
 */
final class WholeObject {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** One of these fits each pattern of a required text. */
    private static final List<String> TEXTS = List.of("a", "/a", "0.1.0", "1Gi", "sha256:" + "0".repeat(64));

    private WholeObject() {}

    /**
     * {@code path} is that of the part, as in {@code spec.inputs[].partitions[]}; empty for the whole. With
     * {@code good} the part gets the member that belongs to its type.
     */
    static ObjectNode around(String kind, String path, JsonNode part, boolean good) {
        JsonNode schema = schema(kind);
        ObjectNode object = NODES.objectNode();
        object.put("apiVersion", "ratchet.dev/v1alpha1").put("kind", kind);
        if (path.isEmpty()) {
            object.setAll((ObjectNode) part.deepCopy());
        } else {
            put(schema, object, path, good ? withMember(schemaAt(schema, path), part) : part);
        }
        complete(schema, object);
        if (kind.equals("ComputeLayout") && object.at("/spec/origin").isMissingNode()) {
            object.withObject("/spec").put("origin", object.at("/spec/epoch").isMissingNode() ? "User" : "Operator");
        }
        if (!object.at("/metadata").has("name")) {
            object.withObject("/metadata").put("name", name(kind, object.path("spec")));
        }
        return object;
    }

    /** Workers and layouts are named after what they are. */
    private static String name(String kind, JsonNode spec) {
        String cluster = spec.path("clusterName").asText();
        return switch (kind) {
            case "ComputeWorker" ->
                cluster + "-" + spec.path("pool").asText("w") + "-"
                        + spec.path("ordinal").asText();
            case "ComputeLayout" -> cluster + "-l" + spec.path("epoch").asText();
            default -> "orders";
        };
    }

    private static JsonNode schema(String kind) {
        try {
            return YAML.readTree(Definitions.yaml(Resources.plural(kind) + ".ratchet.dev"))
                    .at("/spec/versions/0/schema/openAPIV3Schema");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode schemaAt(JsonNode schema, String path) {
        JsonNode inner = schema;
        for (String name : path.split("\\.", -1)) {
            inner = inner.path("properties").path(name.replace("[]", ""));
            inner = name.endsWith("[]") ? inner.path("items") : inner;
        }
        return inner;
    }

    private static JsonNode withMember(JsonNode schema, JsonNode part) {
        ObjectNode whole = part.deepCopy();
        String member = member(part.path("type").asText("-"));
        JsonNode inner = schema.path("properties").path(member);
        if (inner.isObject() && !whole.has(member)) {
            whole.set(member, example(inner));
        }
        return whole;
    }

    private static void put(JsonNode schema, ObjectNode parent, String path, JsonNode part) {
        String[] names = path.split("\\.", 2);
        String name = names[0].replace("[]", "");
        choose(schema, parent, name);
        JsonNode inner = schema.path("properties").path(name);
        if (names[0].endsWith("[]")) {
            ArrayNode list = parent.putArray(name);
            if (names.length == 1) {
                list.add(part.deepCopy());
            } else {
                put(inner.path("items"), list.addObject(), names[1], part);
            }
        } else if (names.length == 1) {
            parent.set(name, part.deepCopy());
        } else {
            put(inner, parent.putObject(name), names[1], part);
        }
    }

    /** A member that belongs to one of several types is there with that type. */
    private static void choose(JsonNode schema, ObjectNode parent, String member) {
        for (JsonNode type : schema.at("/properties/type/enum")) {
            if (member(type.asText()).equalsIgnoreCase(member)) {
                parent.set("type", type);
            }
        }
    }

    private static String member(String type) {
        return type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
    }

    /** Adds what is required below what is there. */
    private static JsonNode complete(JsonNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            completeType(schema, object);
            for (JsonNode required : schema.path("required")) {
                if (!object.has(required.asText())) {
                    object.set(
                            required.asText(), example(schema.path("properties").path(required.asText())));
                }
            }
            object.properties()
                    .forEach(property ->
                            complete(schema.path("properties").path(property.getKey()), property.getValue()));
        }
        value.elements().forEachRemaining(item -> {
            if (value.isArray()) {
                complete(schema.path("items"), item);
            }
        });
        return value;
    }

    /** An object without its type gets the type of the member that it has, or the first one and its member. */
    private static void completeType(JsonNode schema, ObjectNode object) {
        JsonNode types = schema.at("/properties/type/enum");
        if (types.isEmpty() || object.has("type")) {
            return;
        }
        for (JsonNode type : types) {
            if (object.has(member(type.asText()))) {
                object.set("type", type);
                return;
            }
        }
        object.set("type", types.path(0));
        object.setAll((ObjectNode) withMember(schema, object));
    }

    private static JsonNode example(JsonNode schema) {
        if (schema.has("enum")) {
            return schema.path("enum").get(0);
        }
        return switch (schema.path("type").asText()) {
            case "object" -> complete(schema, NODES.objectNode());
            case "integer" ->
                NODES.numberNode(Math.max(1, schema.path("minimum").asLong()));
            case "boolean" -> NODES.booleanNode(false);
            default ->
                NODES.textNode(TEXTS.stream()
                        .filter(text -> text.matches(schema.path("pattern").asText(".*")))
                        .findFirst()
                        .orElseThrow());
        };
    }
}
