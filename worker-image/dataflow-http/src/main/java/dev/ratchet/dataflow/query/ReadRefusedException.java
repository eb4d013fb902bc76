/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

/** A view or a query that is not answered: why, and what the caller can do. */
public final class ReadRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What stands against it. */
    public enum Reason {
        /** No circuit runs here now; the same may be answered later. */
        NOT_RUNNING,
        /** The program has no view of this name. */
        NO_SUCH_VIEW,
        /** The query can not be compiled or computed. */
        MISTAKE,
        /** It has more rows or bytes than are given at once. */
        TOO_LARGE,
        /** It computes for too long. */
        TOO_LONG,
        /** Too many queries are computed at once; the same may be answered later. */
        BUSY
    }

    private final Reason reason;
    private final String remedy;
    private final int line;
    private final int column;

    ReadRefusedException(Reason reason, String message, String remedy) {
        this(reason, message, remedy, 0, 0);
    }

    ReadRefusedException(Reason reason, String message, String remedy, int line, int column) {
        super(message);
        this.reason = reason;
        this.remedy = remedy;
        this.line = line;
        this.column = column;
    }

    public Reason reason() {
        return reason;
    }

    /** What the caller can do. */
    public String remedy() {
        return remedy;
    }

    /** Where in the query it is, from 1; 0 where there is no place. */
    public int line() {
        return line;
    }

    /** As {@link #line}. */
    public int column() {
        return column;
    }
}
