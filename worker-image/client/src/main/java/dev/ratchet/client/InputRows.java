/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows for tables of a circuit that are added and taken away together, in one step. A row is a {@link Map} from names
 * of columns, a {@link ViewRow}, or a record, whose component {@code orderId} is the column {@code order_id}. Values
 * are of the classes that {@link ViewRow} lists, or other numbers. Not safe for use by several threads.
 */
public final class InputRows {

    /**
     * One row.
     *
     * @param isDelete whether it is taken away
     * @param values by column
     */
    public record Change(String table, boolean isDelete, Map<String, @Nullable Object> values) {}

    private final List<Change> changes = new ArrayList<>();

    /**
     * Adds rows.
     *
     * @throws InvalidInputException if one is no row
     */
    public InputRows insert(String table, Object... rows) {
        return add(table, false, Arrays.asList(rows));
    }

    /** As {@link #insert(String, Object...)}. */
    public InputRows insertAll(String table, Collection<?> rows) {
        return add(table, false, rows);
    }

    /** Takes away rows that are there, which a table without a primary key finds by all of their columns. */
    public InputRows delete(String table, Object... rows) {
        return add(table, true, Arrays.asList(rows));
    }

    private InputRows add(String table, boolean isDelete, Collection<?> rows) {
        rows.forEach(row -> changes.add(new Change(table, isDelete, values(row))));
        return this;
    }

    /** All rows, in the order in which they were added. */
    public List<Change> changes() {
        return Collections.unmodifiableList(changes);
    }

    private static Map<String, @Nullable Object> values(Object row) {
        return switch (row) {
            case ViewRow read -> read.asMap();
            case Record made -> RecordValues.values(made);
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> values = new LinkedHashMap<>();
                map.forEach((column, value) -> values.put(String.valueOf(column), value));
                yield values;
            }
            default ->
                throw new InvalidInputException("A row is a Map, a record or a ViewRow, and not a "
                        + row.getClass().getName() + ".");
        };
    }
}
