/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * Reads the bodies that newer kubectls send as {@code application/vnd.kubernetes.protobuf}: the few kinds that
 * {@code kubectl create} makes, by a table of fields. What the table does not have is refused, never dropped.
 */
final class ProtobufBody {

    static final String CONTENT_TYPE = "application/vnd.kubernetes.protobuf";
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final JsonNode TABLE = table();

    private ProtobufBody() {}

    private static JsonNode table() {
        try (InputStream in = ProtobufBody.class.getResourceAsStream("protobuf-fields.yaml")) {
            if (in == null) {
                throw new IllegalStateException("protobuf-fields.yaml is missing from the class path");
            }
            return RequestBody.parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("protobuf-fields.yaml can not be read", e);
        }
    }

    /**
     * The object in {@code body} as JSON.
     *
     * @throws ApiException 415 for a kind or a field that is not in the table, 400 for what is no protobuf
     */
    static ObjectNode read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw ApiException.badRequest("the body does not start as Kubernetes protobuf does");
        }
        String apiVersion = "";
        String kind = "";
        byte[] raw = new byte[0];
        try {
            CodedInputStream in = CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                switch (WireFormat.getTagFieldNumber(tag)) {
                    case 1 -> {
                        CodedInputStream type = CodedInputStream.newInstance(in.readByteArray());
                        for (int inner = type.readTag(); inner != 0; inner = type.readTag()) {
                            if (WireFormat.getTagFieldNumber(inner) == 1) {
                                apiVersion = type.readString();
                            } else {
                                kind = type.readString();
                            }
                        }
                    }
                    case 2 -> raw = in.readByteArray();
                    default -> in.skipField(tag);
                }
            }
            ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
            object.setAll(message(kind, raw));
            return object;
        } catch (IOException e) {
            throw ApiException.badRequest("the body is no protobuf: " + e.getMessage());
        }
    }

    private static ObjectNode message(String type, byte[] bytes) throws IOException {
        JsonNode fields = TABLE.get(type);
        if (fields == null) {
            throw ApiException.unsupportedMediaType("a " + type + " is understood as JSON or YAML, not as protobuf");
        }
        ObjectNode object = Json.object();
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            String field = fields.path(Integer.toString(WireFormat.getTagFieldNumber(tag)))
                    .asText("");
            if (field.isEmpty()) {
                throw ApiException.unsupportedMediaType("field " + WireFormat.getTagFieldNumber(tag) + " of a " + type
                        + " is understood as JSON or YAML, not as protobuf");
            }
            String[] parts = field.split(" ", 2);
            readField(in, object, parts[0], parts[1]);
        }
        return object;
    }

    private static void readField(CodedInputStream in, ObjectNode object, String name, String type) throws IOException {
        if (type.startsWith("[]")) {
            ArrayNode list = object.get(name) instanceof ArrayNode known ? known : object.putArray(name);
            list.add(value(in, type.substring(2)));
        } else if (type.startsWith("map:")) {
            ObjectNode map = Json.ensure(object, name);
            CodedInputStream entry = CodedInputStream.newInstance(in.readByteArray());
            String key = "";
            JsonNode value = JsonNodeFactory.instance.textNode("");
            for (int tag = entry.readTag(); tag != 0; tag = entry.readTag()) {
                if (WireFormat.getTagFieldNumber(tag) == 1) {
                    key = entry.readString();
                } else {
                    value = value(entry, type.substring(4));
                }
            }
            map.set(key, value);
        } else {
            JsonNode value = value(in, type);
            // Go writes empty texts and empty structures too; in JSON they are left out.
            boolean isEmpty = value.isNull()
                    || (value.isTextual() && value.asText().isEmpty())
                    || (value.isObject() && value.isEmpty());
            if (!isEmpty) {
                object.set(name, value);
            }
        }
    }

    private static JsonNode value(CodedInputStream in, String type) throws IOException {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (type) {
            case "string" -> nodes.textNode(new String(in.readByteArray(), StandardCharsets.UTF_8));
            case "bytes" -> nodes.textNode(Base64.getEncoder().encodeToString(in.readByteArray()));
            case "int" -> nodes.numberNode(in.readInt64());
            case "bool" -> nodes.booleanNode(in.readBool());
            case "Time" -> time(message(type, in.readByteArray()));
            case "IntOrString" -> intOrString(message(type, in.readByteArray()));
            default -> message(type, in.readByteArray());
        };
    }

    private static JsonNode time(ObjectNode time) {
        long seconds = time.path("seconds").asLong(0);
        return seconds == 0
                ? JsonNodeFactory.instance.nullNode()
                : JsonNodeFactory.instance.textNode(
                        Instant.ofEpochSecond(seconds).toString());
    }

    private static JsonNode intOrString(ObjectNode either) {
        return either.path("type").asLong(0) == 0
                ? JsonNodeFactory.instance.numberNode(either.path("intVal").asLong(0))
                : JsonNodeFactory.instance.textNode(either.path("strVal").asText(""));
    }
}
