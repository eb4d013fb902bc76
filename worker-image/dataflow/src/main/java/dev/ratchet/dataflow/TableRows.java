/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/**
 * Rows for one table as a producer sent them.
 *
 * @param table the table's name in the program
 * @param rows text in UTF-8; not changed after it was handed over
 * @param linesBefore what to add to the number of a line for that of the line in the file that the rows are from
 */
public record TableRows(String table, RowFormat format, byte[] rows, long linesBefore) {

    /** Rows that are no part of a file. */
    public TableRows(String table, RowFormat format, byte[] rows) {
        this(table, format, rows, 0);
    }
}
