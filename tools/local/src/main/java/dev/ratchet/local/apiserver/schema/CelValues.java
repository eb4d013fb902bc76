/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as CEL sees it. Declared properties appear under their escaped names, as Kubernetes defines them; keys of maps
 * as they are.
 */
final class CelValues {

    private CelValues() {}

    static Object of(Schema schema, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> map(schema, value);
            case ARRAY -> list(schema, value);
            case STRING -> StringFormats.value(schema.text("format"), value.asText());
            case BOOLEAN -> value.asBoolean();
            case NUMBER -> number(schema, value);
            default -> NullValue.NULL_VALUE;
        };
    }

    private static Object number(Schema schema, JsonNode value) {
        if (schema.type().equals("number")) {
            return value.asDouble();
        }
        return value.isIntegralNumber() || schema.type().equals("integer") ? (Object) value.asLong() : value.asDouble();
    }

    private static Map<String, Object> map(Schema schema, JsonNode value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            boolean isDeclared = schema.property(entry.getKey()) != null;
            if (isDeclared && entry.getValue().isNull()) {
                continue;
            }
            fields.put(
                    isDeclared ? CelNames.escape(entry.getKey()).orElse(entry.getKey()) : entry.getKey(),
                    of(schema.fieldOrAny(entry.getKey()), entry.getValue()));
        }
        return fields;
    }

    private static List<Object> list(Schema schema, JsonNode value) {
        List<Object> items = new ArrayList<>(value.size());
        value.forEach(item -> items.add(of(schema.itemsOrAny(), item)));
        return items;
    }
}
