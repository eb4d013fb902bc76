/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.util.List;
import java.util.stream.Stream;

/**
 * The columns of a batch: first those of the key, whose hash places and orders a row, then those of the value. Columns
 * are numbered through, key columns from 0. A set of whole rows has all columns in the key; a key of no columns is
 * legal (one group). Immutable and equal by its types.
 */
public final class RowSchema {

    public static final int COLUMNS_MAX = 4096;

    private final List<ColumnType> key;
    private final List<ColumnType> value;
    private final List<ColumnType> columns;
    private final Storage[] storages;

    /**
     * @param key types of the key columns
     * @param value types of the value columns; together at most {@value #COLUMNS_MAX}
     */
    public RowSchema(List<ColumnType> key, List<ColumnType> value) {
        this.key = List.copyOf(key);
        this.value = List.copyOf(value);
        this.columns = Stream.concat(key.stream(), value.stream()).toList();
        if (columns.size() > COLUMNS_MAX) {
            throw new IllegalArgumentException("A row of " + columns.size() + " columns, the limit is " + COLUMNS_MAX
                    + "; put columns that belong together into structs");
        }
        this.storages = columns.stream().map(ColumnType::storage).toArray(Storage[]::new);
    }

    /** All columns in the key. */
    public static RowSchema ofKey(ColumnType... key) {
        return new RowSchema(List.of(key), List.of());
    }

    public List<ColumnType> key() {
        return key;
    }

    public List<ColumnType> value() {
        return value;
    }

    public int keyCount() {
        return key.size();
    }

    public int columnCount() {
        return columns.size();
    }

    public ColumnType column(int column) {
        return columns.get(column);
    }

    /** Key columns, then value columns. */
    public List<ColumnType> columns() {
        return columns;
    }

    /** The storage of each column; one array for all callers, not to be written. */
    public Storage[] storages() {
        return storages;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowSchema schema && key.equals(schema.key) && value.equals(schema.value);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + value.hashCode();
    }

    @Override
    public String toString() {
        return key + " -> " + value;
    }
}
