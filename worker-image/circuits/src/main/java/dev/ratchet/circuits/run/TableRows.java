/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.ColumnType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows in text form into one table: finds columns by name and checks every value. After an error the rows added
 * for the step are not to be used.
 */
final class TableRows {

    private final Relation table;
    private final TableInput input;
    private final Map<String, Integer> columns = new HashMap<>();
    private final JsonNode[] values;

    TableRows(Relation table, TableInput input) {
        this.table = table;
        this.input = input;
        this.values = new JsonNode[table.columns().size()];
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
            set(column);
        }
        input.add(weight);
    }

    private void set(int column) {
        try {
            JsonValues.set(type(column), values[column], input, column);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw named(column, e);
        }
    }

    /** Adds a row of texts; null is NULL, as is a column that is not among those given. */
    void add(int[] given, List<@Nullable String> texts, long weight) throws JsonProcessingException {
        @Nullable String[] ordered = new String[values.length];
        for (int i = 0; i < given.length; i++) {
            ordered[given[i]] = texts.get(i);
        }
        for (int column = 0; column < ordered.length; column++) {
            String text = ordered[column];
            try {
                if (text == null) {
                    JsonValues.set(type(column), MissingNode.getInstance(), input, column);
                } else {
                    JsonValues.setText(type(column), text, input, column);
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw named(column, e);
            }
        }
        input.add(weight);
    }

    private ColumnType type(int column) {
        return table.columns().get(column).type();
    }

    private IllegalArgumentException named(int column, RuntimeException cause) {
        return new IllegalArgumentException(
                "column " + table.columns().get(column).name() + ": " + cause.getMessage(), cause);
    }

    List<String> names() {
        return table.columns().stream().map(Relation.Column::name).toList();
    }
}
