/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;

/** A column of a table, and what it says of an item. */
public record Column(String title, Function<ObjectNode, String> cell) {

    /** A field as it is; {@code -} where the item does not have it. */
    public static Column of(String title, String field) {
        return new Column(title, item -> {
            JsonNode value = item.path(field);
            return value.isMissingNode() || value.asText().isEmpty() ? "-" : value.asText();
        });
    }
}
