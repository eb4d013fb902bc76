/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.util.List;
import java.util.stream.Stream;

/**
 * The columns of a batch: first those of the key, whose hash places and orders a row, then those of the value. Columns
 * are numbered through, key columns from 0. A set of whole rows has all columns in the key; a key of no columns is
 * legal (one group).
 *
 * @param key types of the key columns
 * @param value types of the value columns; together at most {@value #COLUMNS_MAX}
 */
public record RowSchema(List<ColumnType> key, List<ColumnType> value) {

    public static final int COLUMNS_MAX = 4096;

    public RowSchema {
        key = List.copyOf(key);
        value = List.copyOf(value);
        if (key.size() + value.size() > COLUMNS_MAX) {
            throw new IllegalArgumentException("A row of " + (key.size() + value.size()) + " columns, the limit is "
                    + COLUMNS_MAX + "; put columns that belong together into structs");
        }
    }

    /** All columns in the key. */
    public static RowSchema ofKey(ColumnType... key) {
        return new RowSchema(List.of(key), List.of());
    }

    public int keyCount() {
        return key.size();
    }

    public int columnCount() {
        return key.size() + value.size();
    }

    public ColumnType column(int column) {
        return column < key.size() ? key.get(column) : value.get(column - key.size());
    }

    /** Key columns, then value columns. */
    public List<ColumnType> columns() {
        return Stream.concat(key.stream(), value.stream()).toList();
    }

    /** The storage of each column, in a new array. */
    public Storage[] storages() {
        return columns().stream().map(ColumnType::storage).toArray(Storage[]::new);
    }
}
