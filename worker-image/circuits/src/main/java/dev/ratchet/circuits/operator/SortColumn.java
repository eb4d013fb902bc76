/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

/** One column of an order. */
public record SortColumn(int column, boolean descending, boolean nullsFirst) {

    /** Ascending with NULL first, the order in which values are stored. */
    public static SortColumn ascending(int column) {
        return new SortColumn(column, false, true);
    }

    /** Descending with NULL last, the exact reverse. */
    public static SortColumn descending(int column) {
        return new SortColumn(column, true, false);
    }
}
