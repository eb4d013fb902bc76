/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

/** A persisted value that this release can not read: damaged, or written by a release too new or too old. */
public final class ValueFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ValueFormatException(String message) {
        super(message);
    }

    public ValueFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
