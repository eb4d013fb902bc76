/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row of a view. SQL's values are Java's: NULL is null, BOOLEAN a {@link Boolean}, all integers a {@link Long},
 * REAL and DOUBLE a {@link Double}, DECIMAL a {@link java.math.BigDecimal}, VARCHAR a {@link String}, VARBINARY a
 * {@code byte[]}, DATE, TIME and TIMESTAMP a {@link java.time.LocalDate}, {@link java.time.LocalTime} and
 * {@link java.time.LocalDateTime}, intervals of months a {@link java.time.Period} and others a
 * {@link java.time.Duration}, ARRAY a {@link List}, MAP and ROW a {@link Map}. Not to be changed.
 */
public final class ViewRow implements Serializable {

    private static final long serialVersionUID = 1L;

    private final ArrayList<String> columns;
    private final @Nullable Object[] values;

    /**
     * For implementations.
     *
     * @param values as many as columns, of the classes above, which are serializable
     */
    public ViewRow(List<String> columns, List<? extends @Nullable Object> values) {
        this.columns = new ArrayList<>(columns);
        this.values = values.toArray();
        if (this.values.length != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " columns and " + this.values.length + " values");
        }
    }

    /** The names of the columns, in their order. */
    public List<String> columns() {
        return Collections.unmodifiableList(columns);
    }

    /**
     * The value of a column.
     *
     * @throws InvalidInputException if there is no such column
     */
    public @Nullable Object get(String column) {
        int index = columns.indexOf(column);
        if (index < 0) {
            throw new InvalidInputException("The row has no column '" + column + "'; it has " + columns + ".");
        }
        return values[index];
    }

    /**
     * The value of a column that is not NULL, as an object of {@code type}; a whole number also as any other integer
     * that it fits, or a {@link java.math.BigDecimal}.
     *
     * @throws InvalidInputException if there is no such column, its value is NULL or of another type
     */
    public <T> T get(String column, Class<T> type) {
        Object value = get(column);
        if (value == null) {
            throw new InvalidInputException("The column '" + column + "' is NULL.");
        }
        return type.cast(RecordValues.convert(column, value, type));
    }

    /**
     * The row as a record: each component takes the column of its name, whatever the case of letters, and without
     * regard to underscores, so that {@code orderId} takes {@code order_id}. Columns without a component are left out.
     *
     * @throws InvalidInputException if a component has no column, or a value does not fit it
     */
    public <R extends Record> R as(Class<R> type) {
        return RecordValues.record(this, type);
    }

    /** The values by column, in the order of these. */
    public Map<String, @Nullable Object> asMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int column = 0; column < values.length; column++) {
            map.put(columns.get(column), values[column]);
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ViewRow row && columns.equals(row.columns) && Arrays.deepEquals(values, row.values);
    }

    @Override
    public int hashCode() {
        return Objects.hash(columns, Arrays.deepHashCode(values));
    }

    @Override
    public String toString() {
        return asMap().toString();
    }
}
