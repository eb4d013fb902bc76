/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;

/** Rows of a name and a number, as texts such as {@code "+a 1"} and {@code "-a 1"}. */
public final class TestRows {

    public static final RowSchema SCHEMA =
            RowSchema.ofKey(ColumnType.of(TypeKind.VARCHAR), ColumnType.of(TypeKind.BIGINT));

    private TestRows() {}

    public static Batch batch(String... rows) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        for (String row : rows) {
            String[] parts = row.substring(1).split(" ", -1);
            builder.setString(0, parts[0]);
            builder.setLong(1, Long.parseLong(parts[1]));
            builder.add(row.charAt(0) == '-' ? -1 : 1);
        }
        return builder.build();
    }

    /** The rows of a batch in the order of their columns. */
    public static List<String> texts(Batch batch) {
        List<String> texts = new ArrayList<>();
        OrderedRows.visit(batch, (row, weight) -> {
            String text = (weight < 0 ? "-" : "+") + row.stringAt(0) + " " + row.longAt(1);
            for (long i = 0; i < Math.abs(weight); i++) {
                texts.add(text);
            }
        });
        return texts;
    }
}
