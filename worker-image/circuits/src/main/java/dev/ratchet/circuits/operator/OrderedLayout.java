/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowAlias;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** What is walked for each row, as arrays. */
    private final Storage[] storages;

    private final int[] keyColumns;
    private final int[] restColumns;
    private final SortColumn[] sorts;

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
        storages = columns.stream().map(ColumnType::storage).toArray(Storage[]::new);
        keyColumns = key.stream().mapToInt(Integer::intValue).toArray();
        restColumns = rest.stream().mapToInt(Integer::intValue).toArray();
        sorts = order.toArray(SortColumn[]::new);
    }

    private boolean hasFlag(SortColumn sort) {
        return columns.get(sort.column()).nullable() && !sort.nullsFirst();
    }

    /** The key as columns of the rows before. */
    List<Integer> key() {
        return key;
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
            public int[] columnsCopied() {
                return copied();
            }

            @Override
            public boolean isTotal() {
                return true;
            }

            @Override
            public String description() {
                return key + " ordered by " + order + " then " + rest;
            }

            @Override
            public String text() {
                return arrangedText();
            }
        });
    }

    /** The rearranged columns, for people. */
    private String arrangedText() {
        List<String> columnTexts = new ArrayList<>();
        key.forEach(column -> columnTexts.add(ShownSql.column(column)));
        for (SortColumn sort : order) {
            if (hasFlag(sort)) {
                columnTexts.add(ShownSql.column(sort.column()) + " IS NULL");
            }
            columnTexts.add(ShownSql.column(sort.column()) + (sort.descending() ? " DESC" : ""));
        }
        rest.forEach(column -> columnTexts.add(ShownSql.column(column)));
        return String.join(", ", columnTexts);
    }

    /** What stands behind OVER in SQL, for people: the columns as they were before they were rearranged. */
    String overText(String frame) {
        String partition = key.isEmpty() ? "" : "PARTITION BY " + ShownSql.columns(key);
        String ordered = order.isEmpty() ? "" : "ORDER BY " + SortColumn.text(order, columns);
        return Stream.of(partition, ordered, frame)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" ", "OVER (", ")"));
    }

    /** For each rearranged column the one that it is as it was, or -1. */
    private int[] copied() {
        int[] copied = new int[schema.columnCount()];
        Arrays.fill(copied, -1);
        for (int column = 0; column < places.length; column++) {
            if (!complemented[column]) {
                copied[places[column]] = column;
            }
        }
        return copied;
    }

    private void write(RowView row, RowWriter out) {
        int at = 0;
        for (int column : keyColumns) {
            out.copy(at++, storages[column], row, column);
        }
        for (SortColumn sort : sorts) {
            int column = sort.column();
            if (hasFlag(sort)) {
                out.setLong(at++, row.isNull(column) ? 1 : 0);
            }
            if (sort.descending() && !row.isNull(column)) {
                writeReversed(row, column, out, at++);
            } else {
                out.copy(at++, storages[column], row, column);
            }
        }
        for (int column : restColumns) {
            out.copy(at++, storages[column], row, column);
        }
    }

    private void writeReversed(RowView row, int column, RowWriter out, int at) {
        switch (storages[column]) {
            case LONG -> out.setLong(at, ~row.longAt(column));
            case WIDE -> out.setWide(at, ~row.highAt(column), ~row.longAt(column));
            case BYTES -> {
                byte[] bytes = ReversedBytes.encode(row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
                out.setBytes(at, bytes, 0, bytes.length);
            }
        }
    }

    /** Columns as they were: most as they lie, complemented ones through {@link Complement}. */
    private static final class View extends RowAlias {
        private final RowView row;
        private final RowView complement;
        private final int[] places;
        private final boolean[] complemented;

        View(RowView row, int[] places, boolean[] complemented) {
            this.row = row;
            this.complement = new Complement(row);
            this.places = places;
            this.complemented = complemented;
        }

        @Override
        public RowView rowOf(int column) {
            return complemented[column] ? complement : row;
        }

        @Override
        public int columnOf(int column) {
            return places[column];
        }
    }

    /** The numbers of a row with all bits turned, which reverses their order. */
    private record Complement(RowView row) implements RowView {

        @Override
        public boolean isNull(int column) {
            return row.isNull(column);
        }

        @Override
        public long longAt(int column) {
            return ~row.longAt(column);
        }

        @Override
        public long highAt(int column) {
            return ~row.highAt(column);
        }

        @Override
        public byte[] bytesAt(int column) {
            return row.bytesAt(column);
        }

        @Override
        public int offsetAt(int column) {
            return row.offsetAt(column);
        }

        @Override
        public int lengthAt(int column) {
            return row.lengthAt(column);
        }
    }
}
