/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows rearranged so that the rows of one key lie in a wanted order: the key columns, then one or two columns per sort
 * column whose stored order is the wanted one (descending numbers complemented, descending bytes by
 * {@link ReversedBytes}, a flag in front where NULL comes last), then all columns that can not be read back from these.
 * Ties are ordered by what is left, in the order of columns, so that the order is always total.
 */
final class OrderedLayout {

    private static final ColumnType FLAG = ColumnType.of(TypeKind.BOOLEAN);

    private final List<ColumnType> columns;
    private final List<Integer> key;
    private final List<SortColumn> order;
    private final List<Integer> rest = new ArrayList<>();
    private final int[] places;
    private final boolean[] complemented;
    private final int orderColumns;
    private final RowSchema schema;

    /**
     * @param columns types of the rows
     * @param key columns, none twice
     * @param order wanted within a key
     */
    OrderedLayout(List<ColumnType> columns, List<Integer> key, List<SortColumn> order) {
        this.columns = columns;
        this.key = key;
        this.order = order;
        this.places = new int[columns.size()];
        this.complemented = new boolean[columns.size()];
        Arrays.fill(places, -1);
        List<ColumnType> keyTypes = new ArrayList<>();
        List<ColumnType> valueTypes = new ArrayList<>();
        for (int column : key) {
            places[column] = keyTypes.size();
            keyTypes.add(columns.get(column));
        }
        for (SortColumn sort : order) {
            ColumnType type = columns.get(sort.column());
            if (hasFlag(sort)) {
                valueTypes.add(FLAG);
            }
            boolean reversedBytes = sort.descending() && type.storage() == Storage.BYTES;
            if (!reversedBytes && places[sort.column()] < 0) {
                places[sort.column()] = key.size() + valueTypes.size();
                complemented[sort.column()] = sort.descending();
            }
            valueTypes.add(reversedBytes ? ColumnType.of(TypeKind.VARBINARY).withNullable(type.nullable()) : type);
        }
        orderColumns = valueTypes.size();
        for (int column = 0; column < places.length; column++) {
            if (places[column] < 0) {
                places[column] = key.size() + valueTypes.size();
                rest.add(column);
                valueTypes.add(columns.get(column));
            }
        }
        schema = new RowSchema(keyTypes, valueTypes);
    }

    private boolean hasFlag(SortColumn sort) {
        return columns.get(sort.column()).nullable() && !sort.nullsFirst();
    }

    RowSchema schema() {
        return schema;
    }

    /** How many value columns hold the order, from the first. */
    int orderColumns() {
        return orderColumns;
    }

    /** A view of rearranged rows as they were. */
    RowView view(RowView arranged) {
        return new View(arranged, places, complemented);
    }

    /** Rearranges rows. */
    PipeStage stage() {
        return new PipeStage.Map(schema.columns(), new RowMapper() {
            @Override
            public void map(RowView row, RowWriter out) {
                write(row, out);
            }

            @Override
            public String description() {
                return key + " ordered by " + order + " then " + rest;
            }
        });
    }

    private void write(RowView row, RowWriter out) {
        int at = 0;
        for (int column : key) {
            out.copy(at++, columns.get(column).storage(), row, column);
        }
        for (SortColumn sort : order) {
            if (hasFlag(sort)) {
                out.setLong(at++, row.isNull(sort.column()) ? 1 : 0);
            }
            if (sort.descending() && !row.isNull(sort.column())) {
                writeReversed(row, sort.column(), out, at++);
            } else {
                out.copy(at++, columns.get(sort.column()).storage(), row, sort.column());
            }
        }
        for (int column : rest) {
            out.copy(at++, columns.get(column).storage(), row, column);
        }
    }

    private void writeReversed(RowView row, int column, RowWriter out, int at) {
        switch (columns.get(column).storage()) {
            case LONG -> out.setLong(at, ~row.longAt(column));
            case WIDE -> out.setWide(at, ~row.highAt(column), ~row.longAt(column));
            case BYTES -> {
                byte[] bytes = ReversedBytes.encode(row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
                out.setBytes(at, bytes, 0, bytes.length);
            }
        }
    }

    private record View(RowView row, int[] places, boolean[] complemented) implements RowView {

        @Override
        public boolean isNull(int column) {
            return row.isNull(places[column]);
        }

        @Override
        public long longAt(int column) {
            long value = row.longAt(places[column]);
            return complemented[column] ? ~value : value;
        }

        @Override
        public long highAt(int column) {
            long value = row.highAt(places[column]);
            return complemented[column] ? ~value : value;
        }

        @Override
        public byte[] bytesAt(int column) {
            return row.bytesAt(places[column]);
        }

        @Override
        public int offsetAt(int column) {
            return row.offsetAt(places[column]);
        }

        @Override
        public int lengthAt(int column) {
            return row.lengthAt(places[column]);
        }
    }
}
