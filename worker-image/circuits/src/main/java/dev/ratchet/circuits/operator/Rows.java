/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Comparisons of rows of one schema, and how a row looks in an error. */
final class Rows {

    /** Characters of a value that are shown. */
    private static final int SHOWN_MAX = 100;

    private Rows() {}

    static int compareValues(RowSchema schema, RowView left, RowView right) {
        return RowOrder.compare(schema.storages(), left, right, schema.keyCount(), schema.columnCount());
    }

    static boolean sameKey(RowSchema schema, RowView left, RowView right) {
        return RowOrder.compare(schema.storages(), left, right, 0, schema.keyCount()) == 0;
    }

    /**
     * A row as SQL writes its values, by column: "#0 = 7, #1 = 'x'"; of long ones the beginning.
     *
     * @param shown which columns; null for all
     */
    static String text(RowSchema schema, RowView row, @Nullable BitSet shown) {
        return columns(schema, row, shown);
    }

    /** A group by the columns that all its rows share. */
    static String groupText(RowSchema key, RowView group) {
        String columns = columns(key, group, null);
        return columns.isEmpty() ? "group of all rows" : "group " + columns;
    }

    private static String columns(RowSchema schema, RowView row, @Nullable BitSet shown) {
        List<String> columns = IntStream.range(0, schema.columnCount())
                .filter(column -> shown == null || shown.get(column))
                .mapToObj(column -> {
                    String value = ShownSql.constant(
                            schema.column(column), ObjectValues.read(schema.column(column), row, column));
                    return ShownSql.column(column) + " = "
                            + (value.length() > SHOWN_MAX ? value.substring(0, SHOWN_MAX) + "…" : value);
                })
                .toList();
        return ShownSql.items(columns);
    }
}
