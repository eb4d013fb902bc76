/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;

/** What operators that keep first rows give: the rows, and behind their columns the number, where it is asked for. */
final class NumberedRows {

    private final BatchBuilder builder;
    private final Storage[] storages;

    /** How many columns are those of the row. */
    private final int columns;

    NumberedRows(RowSchema target, boolean withNumber) {
        this.builder = new BatchBuilder(target);
        this.storages = target.storages();
        this.columns = withNumber ? storages.length - 1 : storages.length;
    }

    /** @param number of the row in its group, from 1 */
    void add(RowView row, long number, long weight) {
        for (int column = 0; column < columns; column++) {
            builder.copy(column, storages[column], row, column);
        }
        if (columns < storages.length) {
            builder.setLong(columns, number);
        }
        builder.add(weight);
    }

    /** What was added since the last call. */
    UnconsolidatedRows unconsolidated() {
        return builder.unconsolidated();
    }
}
