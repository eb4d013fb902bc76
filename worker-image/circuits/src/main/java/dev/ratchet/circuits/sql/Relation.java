/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import java.util.List;
import java.util.Map;

/**
 * A table or view of a program under the names that the program gives.
 *
 * @param options what WITH says of a table; empty for a view
 * @param key columns of a view by which its changes are put out, by their numbers; empty where it names none, and for a
 *     table
 */
public record Relation(String name, List<Column> columns, Map<String, String> options, List<Integer> key) {

    /**
     * A column as declared.
     *
     * @param lengthMax of texts in characters and of bytes, as in VARCHAR(10); {@link #ANY_LENGTH} where none is said
     */
    public record Column(String name, ColumnType type, int lengthMax) {

        public static final int ANY_LENGTH = Integer.MAX_VALUE;

        public Column(String name, ColumnType type) {
            this(name, type, ANY_LENGTH);
        }
    }

    public Relation {
        columns = List.copyOf(columns);
        options = Map.copyOf(options);
        key = List.copyOf(key);
    }

    /** One without a key. */
    public Relation(String name, List<Column> columns, Map<String, String> options) {
        this(name, columns, options, List.of());
    }

    public List<ColumnType> types() {
        return columns.stream().map(Column::type).toList();
    }
}
