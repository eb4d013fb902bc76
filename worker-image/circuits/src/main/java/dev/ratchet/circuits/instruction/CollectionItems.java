/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import dev.ratchet.circuits.operator.RowExpander;
import dev.ratchet.circuits.operator.RowOutput;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Collections side by side: the n-th items of all, NULL where one is shorter. */
record CollectionItems(
        List<ColumnType> input, int kept, List<ColumnType> result, boolean ordinality, boolean keepsEmpty)
        implements RowExpander {

    @Override
    public void expand(RowView row, RowOutput out) {
        List<List<?>> collections = new ArrayList<>();
        int rows = 0;
        for (int i = kept; i < input.size(); i++) {
            List<?> items = items(ObjectValues.read(input.get(i), row, i));
            collections.add(items);
            rows = Math.max(rows, items.size());
        }
        for (int number = 0; number < (rows == 0 && keepsEmpty ? 1 : rows); number++) {
            for (int column = 0; column < kept; column++) {
                out.copy(column, input.get(column).storage(), row, column);
            }
            int at = kept;
            for (int i = 0; i < collections.size(); i++) {
                List<?> items = collections.get(i);
                at = emit(input.get(kept + i), number < items.size() ? items.get(number) : null, out, at);
            }
            if (ordinality) {
                ObjectValues.write(result.get(at), rows == 0 ? null : (Object) (number + 1L), out, at);
            }
            out.emit();
        }
    }

    private int emit(ColumnType collection, @Nullable Object item, RowOutput out, int start) {
        int at = start;
        boolean isMap = collection.kind() == TypeKind.MAP;
        ColumnType element = collection.fields().get(0).type();
        int width =
                isMap ? 2 : element.kind() == TypeKind.STRUCT ? element.fields().size() : 1;
        for (int i = 0; i < width; i++) {
            boolean whole = width == 1 && element.kind() != TypeKind.STRUCT && !isMap;
            Object part = whole || item == null ? item : ((List<?>) item).get(i);
            ObjectValues.write(result.get(at), part, out, at);
            at++;
        }
        return at;
    }

    private static List<?> items(@Nullable Object collection) {
        if (collection instanceof Map<?, ?> map) {
            List<List<?>> entries = new ArrayList<>();
            map.forEach((key, value) -> entries.add(Arrays.asList(key, value)));
            return entries;
        }
        return collection instanceof List<?> list ? list : List.of();
    }

    @Override
    public String text() {
        List<Integer> collections = IntStream.range(kept, input.size()).boxed().toList();
        return (keepsEmpty ? "LEFT UNNEST(" : "UNNEST(") + ShownSql.columns(collections) + ")"
                + (ordinality ? " WITH ORDINALITY" : "");
    }

    @Override
    public String description() {
        return "items of " + input + " behind " + kept + (ordinality ? " numbered" : "")
                + (keepsEmpty ? " or none" : "");
    }
}
