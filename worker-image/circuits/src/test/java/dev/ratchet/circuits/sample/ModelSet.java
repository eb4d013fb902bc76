/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The slow twin of a batch: a map from rows as objects to weights. */
public final class ModelSet {

    private final Map<List<Object>, Long> weights = new LinkedHashMap<>();

    /** A set read to the end of a cursor. */
    public static ModelSet read(RowSchema schema, Cursor cursor) {
        ModelSet set = new ModelSet();
        for (; cursor.valid(); cursor.next()) {
            List<Object> row = row(schema, cursor);
            if (set.weights.put(row, cursor.weight()) != null) {
                throw new AssertionError("row twice: " + row);
            }
        }
        return set;
    }

    public static List<Object> row(RowSchema schema, RowView view) {
        List<Object> row = new ArrayList<>();
        for (int column = 0; column < schema.columnCount(); column++) {
            row.add(comparable(ObjectValues.read(schema.column(column), view, column)));
        }
        return row;
    }

    public static void add(BatchBuilder builder, List<Object> row, long weight) {
        for (int column = 0; column < row.size(); column++) {
            ObjectValues.write(builder.schema().column(column), row.get(column), builder, column);
        }
        builder.add(weight);
    }

    public void add(List<Object> row, long weight) {
        List<Object> key = new ArrayList<>();
        row.forEach(value -> key.add(comparable(value)));
        weights.merge(key, weight, Long::sum);
        weights.remove(key, 0L);
    }

    public void add(ModelSet other) {
        other.weights.forEach(this::add);
    }

    public Map<List<Object>, Long> weights() {
        return weights;
    }

    public ModelSet where(java.util.function.Predicate<List<Object>> wanted) {
        ModelSet set = new ModelSet();
        weights.forEach((row, weight) -> {
            if (wanted.test(row)) {
                set.add(row, weight);
            }
        });
        return set;
    }

    /** What SQL calls equal as objects that are equal. */
    private static Object comparable(Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes -> "x" + HexFormat.of().formatHex(bytes);
            case Double number when number == 0 -> 0.0;
            case List<?> list -> list.stream().map(ModelSet::comparable).toList();
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, item) -> copy.put(comparable(key), comparable(item)));
                yield copy;
            }
            default -> value;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelSet set && weights.equals(set.weights);
    }

    @Override
    public int hashCode() {
        return weights.hashCode();
    }

    @Override
    public String toString() {
        return weights.toString();
    }
}
