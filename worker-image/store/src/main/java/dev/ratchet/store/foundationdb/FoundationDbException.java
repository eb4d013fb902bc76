/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import org.jspecify.annotations.Nullable;

/** FoundationDB can not be used as configured; the message tells what to change. */
public final class FoundationDbException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FoundationDbException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
