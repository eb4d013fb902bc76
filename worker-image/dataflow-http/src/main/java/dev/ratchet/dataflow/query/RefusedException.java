/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was asked of the circuit and is not done: why, and what the caller can do. */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What stands against it. */
    public enum Reason {
        /** No circuit runs here now; the same may be answered later. */
        NOT_RUNNING,
        /** The program has no table or view of this name. */
        NO_SUCH_RELATION,
        /** The request or query can not be read, compiled or computed. */
        MISTAKE,
        /** It has more rows or bytes than are given or taken at once. */
        TOO_LARGE,
        /** It computes for too long. */
        TOO_LONG,
        /** Too much is asked at once; the same may be answered later. */
        BUSY,
        /** Changes of a view that are not kept any more. */
        EXPIRED
    }

    private final Reason reason;
    private final String remedy;
    private final transient Map<String, Object> details = new LinkedHashMap<>();

    /**
     * What is not done.
     *
     * @param message what happened, with which values
     * @param remedy what the caller can do
     */
    public RefusedException(Reason reason, String message, String remedy) {
        super(message);
        this.reason = reason;
        this.remedy = remedy;
    }

    /** With a value by itself, for programs. */
    public RefusedException detail(String name, Object value) {
        details.put(name, value);
        return this;
    }

    public Reason reason() {
        return reason;
    }

    /** What the caller can do. */
    public String remedy() {
        return remedy;
    }

    /** Values by name, such as line and column of a query, from 1. */
    public Map<String, Object> details() {
        return Collections.unmodifiableMap(details);
    }
}
