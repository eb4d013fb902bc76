/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * JSON as CEL sees it. Declared properties appear under their escaped names, as Kubernetes defines them; keys of maps
 * as they are.
 */
final class CelValues {

    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return");

    private CelValues() {}

    static Object of(Schema schema, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> map(schema, value);
            case ARRAY -> list(schema, value);
            case STRING -> value.asText();
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
                    isDeclared ? escape(entry.getKey()) : entry.getKey(),
                    of(schema.fieldOrAny(entry.getKey()), entry.getValue()));
        }
        return fields;
    }

    private static List<Object> list(Schema schema, JsonNode value) {
        List<Object> items = new ArrayList<>(value.size());
        value.forEach(item -> items.add(of(schema.itemsOrAny(), item)));
        return items;
    }

    private static String escape(String name) {
        if (RESERVED.contains(name)) {
            return "__" + name + "__";
        }
        if (IDENTIFIER.matcher(name).matches() && !name.contains("__")) {
            return name;
        }
        return name.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
    }
}
