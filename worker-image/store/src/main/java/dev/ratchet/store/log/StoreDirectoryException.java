/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import org.jspecify.annotations.Nullable;

/** A store directory can not be used: held by another process, damaged, of another version, or not writable. */
public final class StoreDirectoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with which directory, and what to do. */
    public StoreDirectoryException(String message) {
        this(message, null);
    }

    /** What is wrong with which directory, and what to do. */
    public StoreDirectoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
