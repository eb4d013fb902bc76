/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

/** A program that can not be compiled: where in its text, what is wrong, and what to write instead. */
public final class SqlException extends RuntimeException {

    private final int line;
    private final int column;

    /**
     * @param line from 1, 0 where no place is known
     * @param column from 1
     */
    public SqlException(int line, int column, String message) {
        super(line > 0 ? "line " + line + ", column " + column + ": " + message : message);
        this.line = line;
        this.column = column;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }
}
