/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows in text form into one table: finds columns by name and checks every value. After an error the rows added
 * for the step are not to be used.
 */
final class TextRowReader {

    private enum Given {
        NOTHING,
        NULL,
        VALUE
    }

    private final Relation table;
    private final RowWriter input;
    private final LongConsumer adder;
    private final Map<String, Integer> columns = new HashMap<>();
    private final JsonNode[] values;
    private final ColumnType[] types;
    private final int[] lengthsMax;

    /** Columns without which a row that is removed need not come: all but its key. */
    private final boolean[] isOptional;

    /** What a plain row has given for each column so far. */
    private final Given[] given;

    /** Names of the plain row before, in their order, and their columns: the next row most often has the same. */
    private final byte[][] expectedNames;

    private final int[] expectedColumns;
    private int names;

    /**
     * Rows of one table.
     *
     * @param input takes the columns of each row
     * @param adder is given the weight once all columns are set
     */
    TextRowReader(Relation table, RowWriter input, LongConsumer adder) {
        this(table, input, adder, List.of());
    }

    /**
     * Rows of one table that may take upserts.
     *
     * @param upsertKey columns of the key by which they are removed; empty where they are taken back as they came
     */
    TextRowReader(Relation table, RowWriter input, LongConsumer adder, List<Integer> upsertKey) {
        this.table = table;
        this.input = input;
        this.adder = adder;
        this.values = new JsonNode[table.columns().size()];
        this.types = table.types().toArray(ColumnType[]::new);
        this.isOptional = new boolean[values.length];
        Arrays.fill(isOptional, !upsertKey.isEmpty());
        upsertKey.forEach(column -> isOptional[column] = false);
        this.lengthsMax =
                table.columns().stream().mapToInt(Relation.Column::lengthMax).toArray();
        this.given = new Given[types.length];
        this.expectedNames = new byte[types.length][0];
        this.expectedColumns = new int[types.length];
        for (int i = 0; i < values.length; i++) {
            String name = table.columns().get(i).name();
            columns.put(name.toLowerCase(Locale.ROOT), i);
            columns.put(name, i);
        }
    }

    /** The number of a column, or -1. */
    int columnOf(String name) {
        Integer exact = columns.get(name);
        Integer found = exact == null ? columns.get(name.toLowerCase(Locale.ROOT)) : exact;
        return found == null ? -1 : found;
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException or ArithmeticException where it is none of the table
     */
    void add(JsonNode row, long weight) {
        Arrays.fill(values, MissingNode.getInstance());
        row.properties().forEach(field -> {
            int column = columnOf(field.getKey());
            if (column < 0) {
                throw new IllegalArgumentException("table " + table.name() + " has no column '" + field.getKey()
                        + "'; its columns are " + names());
            }
            if (!values[column].isMissingNode()) {
                throw new IllegalArgumentException("column " + field.getKey() + " is given twice");
            }
            values[column] = field.getValue();
        });
        for (int column = 0; column < values.length; column++) {
            if (weight < 0 && isOptional[column] && values[column].isMissingNode()) {
                input.setNull(column);
            } else {
                set(column);
            }
        }
        adder.accept(weight);
    }

    /** Starts a row whose columns are set one by one by what is plain; {@link #addPlain} adds it. */
    void beginPlain() {
        Arrays.fill(given, Given.NOTHING);
        names = 0;
    }

    /** The number of the column that is named next in a plain row, or -1. */
    int columnOf(byte[] bytes, int from, int to) {
        int order = names++;
        if (order >= types.length) {
            return -1;
        }
        byte[] expected = expectedNames[order];
        if (expected.length == 0 || !Arrays.equals(expected, 0, expected.length, bytes, from, to)) {
            String name = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            expectedNames[order] = Arrays.copyOfRange(bytes, from, to);
            expectedColumns[order] = columnOf(name);
        }
        return expectedColumns[order];
    }

    /** Sets a column from text between quotes; false where it is not plain. */
    boolean setPlainText(int column, byte[] bytes, int from, int to) {
        return isFirst(column, Given.VALUE)
                && to - from <= lengthsMax[column]
                && PlainValues.setText(types[column], bytes, from, to, input, column);
    }

    /** Sets a column from what stands without quotes; false where it is not plain. */
    boolean setPlainLiteral(int column, byte[] bytes, int from, int to) {
        if (PlainValues.is(bytes, from, to, "null")) {
            return isFirst(column, Given.NULL);
        }
        return isFirst(column, Given.VALUE) && PlainValues.setLiteral(types[column], bytes, from, to, input, column);
    }

    /** Sets a column from a field of CSV; false where it is not plain. */
    boolean setPlain(int column, byte[] bytes, int from, int to) {
        return setPlainText(column, bytes, from, to)
                || PlainValues.setLiteral(types[column], bytes, from, to, input, column);
    }

    private boolean isFirst(int column, Given what) {
        boolean first = given[column] == Given.NOTHING;
        given[column] = what;
        return first;
    }

    /** Adds the plain row, NULL where no column was set; false where one must not be NULL. */
    boolean addPlain(long weight) {
        for (int column = 0; column < given.length; column++) {
            if (given[column] != Given.VALUE) {
                if (!types[column].nullable()) {
                    return false;
                }
                input.setNull(column);
            }
        }
        adder.accept(weight);
        return true;
    }

    private void set(int column) {
        try {
            JsonValues.set(type(column), values[column], input, column);
            if (values[column].isTextual()) {
                checkLength(column, values[column].textValue());
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw named(column, e);
        }
    }

    /** Adds a row of texts; null is NULL, as is a column that is not among those given. */
    void add(int[] named, List<@Nullable String> texts, long weight) throws JsonProcessingException {
        @Nullable String[] ordered = new String[values.length];
        for (int i = 0; i < named.length; i++) {
            ordered[named[i]] = texts.get(i);
        }
        for (int column = 0; column < ordered.length; column++) {
            String text = ordered[column];
            try {
                if (text == null) {
                    JsonValues.set(type(column), MissingNode.getInstance(), input, column);
                } else {
                    JsonValues.setText(type(column), text, input, column);
                    checkLength(column, text);
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw named(column, e);
            }
        }
        adder.accept(weight);
    }

    private void checkLength(int column, String text) {
        int max = lengthsMax[column];
        boolean isText = types[column].kind() == TypeKind.VARCHAR;
        int length = isText ? text.codePointCount(0, text.length()) : text.length() / 2;
        if (length > max) {
            throw new IllegalArgumentException(
                    length + (isText ? " characters" : " bytes") + " where the column is declared with at most " + max);
        }
    }

    private ColumnType type(int column) {
        return types[column];
    }

    private IllegalArgumentException named(int column, RuntimeException cause) {
        return new IllegalArgumentException(
                "column " + table.columns().get(column).name() + ": " + cause.getMessage(), cause);
    }

    List<String> names() {
        return table.columns().stream().map(Relation.Column::name).toList();
    }
}
