/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * An OpenAPI v2 document as the protobuf message {@code openapi.v2.Document} that kubectl reads. Writes what clients of
 * Kubernetes look at: definitions with their extensions, and the parameters of operations. The numbers are the field
 * numbers of that message's definition.
 */
final class GnosticEncoder {

    private static final Map<String, Integer> OPERATIONS =
            Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "patch", 8);

    private GnosticEncoder() {}

    static byte[] document(JsonNode document) {
        ProtoWriter out = new ProtoWriter().text(1, document.path("swagger").asText());
        JsonNode info = document.path("info");
        out.message(
                2,
                new ProtoWriter()
                        .text(1, info.path("title").asText())
                        .text(2, info.path("version").asText()));
        ProtoWriter paths = new ProtoWriter();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            paths.message(2, new ProtoWriter().text(1, path.getKey()).message(2, pathItem(path.getValue())));
        }
        out.message(8, paths);
        ProtoWriter definitions = new ProtoWriter();
        for (Map.Entry<String, JsonNode> definition :
                document.path("definitions").properties()) {
            definitions.message(1, namedSchema(definition));
        }
        return out.message(9, definitions).toBytes();
    }

    private static ProtoWriter pathItem(JsonNode item) {
        ProtoWriter out = new ProtoWriter();
        for (Map.Entry<String, JsonNode> operation : item.properties()) {
            Integer field = OPERATIONS.get(operation.getKey());
            if (field != null) {
                out.message(field, operation(operation.getValue()));
            }
        }
        return out;
    }

    private static ProtoWriter operation(JsonNode operation) {
        ProtoWriter out =
                new ProtoWriter().text(5, operation.path("operationId").asText());
        for (JsonNode parameter : operation.path("parameters")) {
            ProtoWriter query = new ProtoWriter()
                    .text(2, parameter.path("in").asText())
                    .text(3, parameter.path("description").asText(""))
                    .text(4, parameter.path("name").asText())
                    .text(6, parameter.path("type").asText());
            ProtoWriter nonBody = new ProtoWriter().message(3, query);
            out.message(8, new ProtoWriter().message(1, new ProtoWriter().message(2, nonBody)));
        }
        extensions(operation, 13, out);
        return out;
    }

    private static ProtoWriter namedSchema(Map.Entry<String, JsonNode> entry) {
        return new ProtoWriter().text(1, entry.getKey()).message(2, schema(entry.getValue()));
    }

    private static ProtoWriter schema(JsonNode schema) {
        ProtoWriter out = new ProtoWriter()
                .text(1, schema.path("$ref").asText(""))
                .text(2, schema.path("format").asText(""))
                .text(4, schema.path("description").asText(""));
        schema.path("required").forEach(name -> out.text(19, name.asText()));
        JsonNode additional = schema.path("additionalProperties");
        if (additional.isObject()) {
            out.message(21, new ProtoWriter().message(1, schema(additional)));
        } else if (additional.isBoolean()) {
            out.message(21, new ProtoWriter().flag(2, additional.asBoolean()));
        }
        if (schema.has("type")) {
            out.message(22, new ProtoWriter().text(1, schema.path("type").asText()));
        }
        if (schema.path("items").isObject()) {
            out.message(23, new ProtoWriter().message(1, schema(schema.path("items"))));
        }
        if (schema.path("properties").isObject()) {
            ProtoWriter properties = new ProtoWriter();
            for (Map.Entry<String, JsonNode> property :
                    schema.path("properties").properties()) {
                properties.message(1, namedSchema(property));
            }
            out.message(25, properties);
        }
        extensions(schema, 31, out);
        return out;
    }

    private static void extensions(JsonNode node, int field, ProtoWriter out) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (entry.getKey().startsWith("x-")) {
                // JSON is YAML.
                ProtoWriter any = new ProtoWriter().text(2, entry.getValue().toString() + "\n");
                out.message(field, new ProtoWriter().text(1, entry.getKey()).message(2, any));
            }
        }
    }
}
