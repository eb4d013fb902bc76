/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The input of a step contradicts what a table promises; nothing of the step was applied and the circuit goes on. */
public final class StepRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String table;
    private final List<Integer> keyColumns;
    private final List<@Nullable Object> key;

    /**
     * About the rows of a table that have one primary key.
     *
     * @param keyColumns the columns of the key, by their numbers in the table
     * @param key their values in the same order, as {@link dev.ratchet.circuits.type.ObjectValues} reads them
     */
    public StepRejectedException(
            String table, List<Integer> keyColumns, List<? extends @Nullable Object> key, String message) {
        super(message);
        this.table = table;
        this.keyColumns = List.copyOf(keyColumns);
        this.key = Collections.unmodifiableList(new ArrayList<>(key));
    }

    /** The table whose input it was. */
    public String table() {
        return table;
    }

    /** The columns of the primary key, by their numbers in the table. */
    public List<Integer> keyColumns() {
        return keyColumns;
    }

    /** The key whose rows contradict, in the order of its columns. */
    public List<@Nullable Object> key() {
        return key;
    }
}
