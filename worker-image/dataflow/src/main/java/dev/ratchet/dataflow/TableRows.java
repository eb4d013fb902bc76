/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/**
 * Rows for one table as a producer sent them.
 *
 * @param table the table's name in the program
 * @param rows text in UTF-8; not changed after it was handed over
 */
public record TableRows(String table, RowFormat format, byte[] rows) {}
