/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;

/** The first and the last row of a group, in the order of its arrangement, that a step changes. */
final class Change {

    private final RowSchema schema;
    private final RowBuffer first;
    private final RowBuffer last;

    private Change(RowSchema schema) {
        this.schema = schema;
        this.first = new RowBuffer(schema.columnCount());
        this.last = new RowBuffer(schema.columnCount());
    }

    /** @param rows on the first changed row of the group, narrowed to it */
    static Change of(RowSchema schema, BatchCursor rows) {
        Change change = new Change(schema);
        change.copy(rows, change.first);
        for (; rows.valid(); rows.next()) {
            change.copy(rows, change.last);
        }
        return change;
    }

    private void copy(RowView row, RowBuffer to) {
        for (int column = 0; column < schema.columnCount(); column++) {
            to.copy(column, schema.storages()[column], row, column);
        }
    }

    RowView first() {
        return first;
    }

    RowView last() {
        return last;
    }

    boolean isBeforeFirst(RowView row) {
        return compare(row, first) < 0;
    }

    boolean isBehindLast(RowView row) {
        return compare(row, last) > 0;
    }

    private int compare(RowView row, RowView other) {
        return RowOrder.compare(schema.storages(), row, other, schema.keyCount(), schema.columnCount());
    }

    /** How many columns the value of a row has. */
    int valueColumns() {
        return schema.columnCount() - schema.keyCount();
    }
}
