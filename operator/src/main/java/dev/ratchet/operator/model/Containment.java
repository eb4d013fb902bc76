/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/**
 * Owns the question whether a live object already is what was asked for: each field asked for is there and equal; what
 * the API server or others added does not matter. Errs on the side of "no", which costs a write, never correctness.
 */
public final class Containment {
    private Containment() {}

    /** Whether {@code live} has everything that {@code wanted} has. */
    public static boolean holds(JsonNode live, JsonNode wanted) {
        if (wanted.isObject()) {
            return live.isObject() && holdsFields(live, wanted);
        }
        if (wanted.isArray()) {
            return live.isArray() && holdsElements(live, wanted);
        }
        if (wanted.isNumber() && live.isNumber()) {
            return live.decimalValue().compareTo(wanted.decimalValue()) == 0;
        }
        return live.equals(wanted) || isSameQuantity(live, wanted);
    }

    private static boolean holdsFields(JsonNode live, JsonNode wanted) {
        for (Map.Entry<String, JsonNode> field : wanted.properties()) {
            JsonNode found = live.get(field.getKey());
            if (found == null) {
                if (!isEmpty(field.getValue())) {
                    return false;
                }
            } else if (!holds(found, field.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean holdsElements(JsonNode live, JsonNode wanted) {
        if (live.size() != wanted.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!holds(live.get(i), wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The API server leaves empty lists, empty maps, "", 0 and false out of what it returns. */
    private static boolean isEmpty(JsonNode value) {
        return value.isNull()
                || (value.isContainerNode() && value.isEmpty())
                || (value.isTextual() && value.textValue().isEmpty())
                || (value.isBoolean() && !value.booleanValue())
                || (value.isNumber() && value.asDouble() == 0);
    }

    /** The API server rewrites quantities: 1000m becomes 1. */
    private static boolean isSameQuantity(JsonNode live, JsonNode wanted) {
        if (!live.isTextual() || !wanted.isTextual()) {
            return false;
        }
        try {
            return Quantity.getAmountInBytes(Quantity.parse(live.textValue()))
                            .compareTo(Quantity.getAmountInBytes(Quantity.parse(wanted.textValue())))
                    == 0;
        } catch (IllegalArgumentException | ArithmeticException notQuantities) {
            return false;
        }
    }
}
