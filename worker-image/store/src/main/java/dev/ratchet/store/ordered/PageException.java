/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import org.jspecify.annotations.Nullable;

/** A page that a tree needs can not be read, or is not as it was written. */
public final class PageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Which page, and what to do. */
    public PageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
