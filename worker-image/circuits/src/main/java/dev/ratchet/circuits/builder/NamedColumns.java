/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.type.ColumnType;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a table, by whose names rows are sent and queried. Names differ in more than case. Immutable.
 *
 * @param names in the order of the columns
 * @param types as many as names
 */
public record NamedColumns(List<String> names, List<ColumnType> types) {

    private static final int COLUMNS_MAX = 4_096;

    public NamedColumns {
        names = List.copyOf(names);
        types = List.copyOf(types);
        if (names.isEmpty() || names.size() > COLUMNS_MAX) {
            throw new IllegalArgumentException(
                    names.size() + " columns; tables and views have from 1 to " + COLUMNS_MAX);
        }
        if (names.size() != types.size()) {
            throw new IllegalArgumentException(
                    names.size() + " names for " + types.size() + " columns; give one for each: " + names);
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.isBlank()) {
                throw new IllegalArgumentException("Column " + i + " has a blank name; give it another");
            }
            if (names.subList(0, i).stream().anyMatch(name::equalsIgnoreCase)) {
                throw new IllegalArgumentException("A second column " + name + "; names differ in more than case");
            }
        }
    }

    /** The first column. */
    public static NamedColumns of(String name, ColumnType type) {
        return new NamedColumns(List.of(name), List.of(type));
    }

    /** One more column behind them. */
    public NamedColumns and(String name, ColumnType type) {
        List<String> moreNames = new ArrayList<>(names);
        List<ColumnType> moreTypes = new ArrayList<>(types);
        moreNames.add(name);
        moreTypes.add(type);
        return new NamedColumns(moreNames, moreTypes);
    }

    /** The number of a column, from 0, by which streams know it. */
    public int at(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("There is no column " + name + " among " + names);
        }
        return index;
    }
}
