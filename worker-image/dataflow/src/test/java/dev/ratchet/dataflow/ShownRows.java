/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;

/** Rows as texts that tests compare. */
public final class ShownRows {

    private ShownRows() {}

    /** The rows of a batch, such as {@code "a 1 x-2"} with their weights, in the order of these texts. */
    public static List<String> of(Batch batch) {
        List<ColumnType> types = new ArrayList<>(batch.schema().key());
        types.addAll(batch.schema().value());
        List<String> rows = new ArrayList<>();
        for (BatchCursor row = batch.cursor(); row.valid(); row.next()) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < types.size(); column++) {
                boolean isText = types.get(column).storage() == Storage.BYTES;
                text.append(row.isNull(column) ? "null" : isText ? row.stringAt(column) : row.longAt(column))
                        .append(' ');
            }
            rows.add(text.append('x').append(row.weight()).toString());
        }
        rows.sort(null);
        return rows;
    }
}
