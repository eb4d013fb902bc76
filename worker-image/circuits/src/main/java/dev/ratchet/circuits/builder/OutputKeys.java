/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The keys of outputs that are said beside a program, in place of those that the program says: by the name of a view,
 * in any case, the names of the columns by which its changes are put out. Immutable.
 */
public record OutputKeys(Map<String, List<String>> byView) {

    /** The program says all. */
    public static final OutputKeys NONE = new OutputKeys(Map.of());

    private static final String FIELD = "outputs[].key of view ";

    public OutputKeys {
        Map<String, List<String>> keys = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byView.forEach((view, key) -> keys.put(view, List.copyOf(key)));
        byView = Collections.unmodifiableMap(keys);
    }

    public boolean isEmpty() {
        return byView.isEmpty();
    }

    /**
     * The columns that are said for a view, by their numbers; empty for none.
     *
     * @param names of the columns of the view
     * @throws IllegalArgumentException where one of them is no column, or there twice
     */
    public Optional<List<Integer>> of(String view, List<String> names) {
        return Optional.ofNullable(byView.get(view)).map(key -> columns(FIELD + view, key, names));
    }

    /**
     * Refuses a key of a view that is not there.
     *
     * @throws IllegalArgumentException naming it, and the views that are
     */
    public void requireViews(Collection<String> views) {
        for (String view : byView.keySet()) {
            if (views.stream().noneMatch(view::equalsIgnoreCase)) {
                throw new IllegalArgumentException(
                        FIELD + view + ": the program has no such view; those that it puts out are " + views);
            }
        }
    }

    /**
     * The columns of a key by their numbers.
     *
     * @param what has the key, for the message
     * @param names of all columns
     * @throws IllegalArgumentException where the key is empty, or one of it is no column, or there twice
     */
    public static List<Integer> columns(String what, List<String> key, List<String> names) {
        List<Integer> columns = new ArrayList<>();
        for (String column : key) {
            int number = 0;
            while (number < names.size() && !names.get(number).equalsIgnoreCase(column)) {
                number++;
            }
            if (number == names.size()) {
                throw new IllegalArgumentException(
                        what + ": there is no column '" + column + "'; the columns are " + names);
            }
            if (columns.contains(number)) {
                throw new IllegalArgumentException(what + ": column " + column + " is there twice; leave one out");
            }
            columns.add(number);
        }
        if (columns.isEmpty()) {
            throw new IllegalArgumentException(what + ": it names no column; name at least one of " + names);
        }
        return columns;
    }
}
