/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.client.ViewRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes rows of a view what programs are given. Immutable. */
public final class RowObjects {

    private final List<String> names;
    private final List<ColumnType> types;

    public RowObjects(Relation columns) {
        names = columns.columns().stream().map(Relation.Column::name).toList();
        types = columns.columns().stream().map(Relation.Column::type).toList();
    }

    public ViewRow read(RowView row) {
        List<@Nullable Object> values = new ArrayList<>(types.size());
        for (int column = 0; column < types.size(); column++) {
            values.add(object(types.get(column), ObjectValues.read(types.get(column), row, column)));
        }
        return new ViewRow(names, values);
    }

    /** The fields of a ROW by name, and of all that is nested the same. */
    private static @Nullable Object object(ColumnType type, @Nullable Object value) {
        if (value == null || !type.kind().isNested()) {
            return value;
        }
        List<ColumnType.Field> fields = type.fields();
        return switch (type.kind()) {
            case ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                ((List<?>) value)
                        .forEach(element -> list.add(object(fields.getFirst().type(), element)));
                yield list;
            }
            case MAP -> {
                Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
                ((Map<?, ?>) value)
                        .forEach((key, element) -> map.put(
                                object(fields.get(0).type(), key),
                                object(fields.get(1).type(), element)));
                yield map;
            }
            default -> {
                Map<String, @Nullable Object> struct = new LinkedHashMap<>();
                for (int field = 0; field < fields.size(); field++) {
                    struct.put(
                            fields.get(field).name(), object(fields.get(field).type(), ((List<?>) value).get(field)));
                }
                yield struct;
            }
        };
    }
}
