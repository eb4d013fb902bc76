/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Map;

/** Fills in the defaults of a schema, in place: absent fields, and nulls where null is not allowed. */
public final class SchemaDefaults {

    private SchemaDefaults() {}

    public static void apply(Schema schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            applyToObject(schema, object);
        } else if (value instanceof ArrayNode array) {
            Schema items = schema.items();
            if (items != null) {
                array.forEach(item -> apply(items, item));
            }
        }
    }

    private static void applyToObject(Schema schema, ObjectNode object) {
        for (String name : schema.propertyNames()) {
            Schema property = schema.property(name);
            if (property == null) {
                continue;
            }
            JsonNode present = object.get(name);
            JsonNode fallback = property.defaultValue();
            boolean isForbiddenNull = present != null && present.isNull() && !property.flag("nullable");
            if (fallback != null && (present == null || isForbiddenNull)) {
                object.set(name, fallback.deepCopy());
            }
        }
        for (String name :
                new ArrayList<>(object.propertyStream().map(Map.Entry::getKey).toList())) {
            Schema field = schema.field(name);
            if (field != null) {
                apply(field, object.get(name));
            }
        }
    }
}
