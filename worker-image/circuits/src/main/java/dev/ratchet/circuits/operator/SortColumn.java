/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One column of an order. */
public record SortColumn(int column, boolean descending, boolean nullsFirst) {

    /** Ascending with NULL first, the order in which values are stored. */
    public static SortColumn ascending(int column) {
        return new SortColumn(column, false, true);
    }

    /** Descending with NULL last, the exact reverse. */
    public static SortColumn descending(int column) {
        return new SortColumn(column, true, false);
    }

    /** For people, as SQL, in which NULL is the largest value unless it says otherwise. */
    String text(boolean nullable) {
        String nulls = nullsFirst == descending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST";
        return ShownSql.column(column) + (descending ? " DESC" : "") + (nullable ? nulls : "");
    }

    /** A whole order; without types NULL may be everywhere. */
    static String text(List<SortColumn> order, @Nullable List<ColumnType> columns) {
        return order.stream()
                .map(sort ->
                        sort.text(columns == null || columns.get(sort.column()).nullable()))
                .collect(Collectors.joining(", "));
    }
}
