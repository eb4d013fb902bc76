/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;

/** Comparisons of rows of one schema. */
final class Rows {

    private Rows() {}

    static int compareValues(RowSchema schema, RowView left, RowView right) {
        return RowOrder.compare(schema.storages(), left, right, schema.keyCount(), schema.columnCount());
    }

    static boolean sameKey(RowSchema schema, RowView left, RowView right) {
        return RowOrder.compare(schema.storages(), left, right, 0, schema.keyCount()) == 0;
    }
}
