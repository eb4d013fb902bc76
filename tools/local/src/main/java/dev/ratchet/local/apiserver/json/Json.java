/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one way to read and write JSON here. All integers are longs, so that two nodes are equal exactly when their JSON
 * is: objects are compared to tell a change from a write that changes nothing.
 */
public final class Json {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);
    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory()).enable(DeserializationFeature.USE_LONG_FOR_INTS);

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Reads JSON, or YAML where the text does not start as JSON. A missing node where it is empty.
     *
     * @throws IOException when it is neither; the first line of its message says where
     */
    public static JsonNode read(byte[] text) throws IOException {
        JsonNode node = startsAsJson(text) ? JSON.readTree(text) : YAML.readTree(text);
        return node == null ? MissingNode.getInstance() : node;
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can not be written", e);
        }
    }

    /** The node at a path of field names, or null where a step is absent or JSON null. */
    public static @Nullable JsonNode at(@Nullable JsonNode node, List<String> path) {
        JsonNode current = node;
        for (String step : path) {
            current = current == null ? null : current.get(step);
        }
        return current == null || current.isNull() ? null : current;
    }

    public static @Nullable JsonNode at(@Nullable JsonNode node, String... path) {
        return at(node, List.of(path));
    }

    /** The text at a path; empty where it is absent. */
    public static String textAt(@Nullable JsonNode node, String... path) {
        JsonNode found = at(node, path);
        return found == null ? "" : found.asText("");
    }

    /** The object at a path, made where it is absent. */
    public static ObjectNode ensure(ObjectNode node, String... path) {
        ObjectNode current = node;
        for (String step : path) {
            current = current.get(step) instanceof ObjectNode child ? child : current.putObject(step);
        }
        return current;
    }

    private static boolean startsAsJson(byte[] text) {
        for (byte b : text) {
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b == '{' || b == '[';
            }
        }
        return false;
    }
}
