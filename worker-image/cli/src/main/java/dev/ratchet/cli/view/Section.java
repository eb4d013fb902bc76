/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Items of one kind.
 *
 * @param plural name of the list in JSON and YAML
 * @param singular name of one item, where a change of it is told
 * @param key field by which an item is known again
 * @param columns of the table for people; what they leave out is in JSON alone
 */
public record Section(String plural, String singular, String key, List<Column> columns, List<ObjectNode> items) {

    String keyOf(ObjectNode item) {
        return singular + "/" + item.path(key).asText();
    }

    List<String> titles() {
        return columns.stream().map(Column::title).toList();
    }

    List<String> cells(ObjectNode item) {
        return columns.stream().map(column -> column.cell().apply(item)).toList();
    }
}
