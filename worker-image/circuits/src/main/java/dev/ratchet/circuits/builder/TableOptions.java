/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a table promises.
 *
 * @param primaryKey columns that no two rows share and whose rows are there at most once; a step that contradicts is
 *     rejected. Empty where nothing is promised.
 * @param lateness how late rows may come; null where any row may come at any time
 * @param appendOnly whether no row is ever taken back; then extremes and first rows are kept without the others
 * @param constant whether all rows come in the first step of the circuit; then what is joined with them is not
 *     remembered
 * @param upserts whether a row takes the place of the one with its primary key, the last of a step where it has
 *     several; one with weight -1 removes it. Needs a primary key, and is not for append-only tables or those with
 *     lateness: a row that is replaced is taken back, however old it is.
 */
public record TableOptions(
        List<Integer> primaryKey,
        Plan.@Nullable Lateness lateness,
        boolean appendOnly,
        boolean constant,
        boolean upserts) {

    public static final TableOptions NONE = new TableOptions(List.of(), null, false, false, false);

    public TableOptions {
        primaryKey = List.copyOf(primaryKey);
        if (upserts && primaryKey.isEmpty()) {
            throw new IllegalArgumentException("Upserts replace rows by their PRIMARY KEY; declare one");
        }
        if (upserts && (appendOnly || lateness != null)) {
            throw new IllegalArgumentException("Upserts take rows back, which "
                    + (appendOnly ? "append-only tables never do" : "may be older than LATENESS allows")
                    + "; choose one of both");
        }
    }

    /** What is promised, for people, behind the name of the table. */
    String text(List<ColumnType> columns) {
        String key = primaryKey.isEmpty() ? "" : "; PRIMARY KEY " + ShownSql.columns(primaryKey);
        String late = lateness == null
                ? ""
                : "; LATENESS of " + ShownSql.column(lateness.column()) + " "
                        + ShownSql.distance(columns.get(lateness.column()), lateness.delay());
        return key
                + late
                + (appendOnly ? "; append-only" : "")
                + (constant ? "; constant" : "")
                + (upserts ? "; upserts" : "");
    }
}
