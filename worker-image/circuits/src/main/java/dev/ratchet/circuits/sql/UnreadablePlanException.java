/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import org.jspecify.annotations.Nullable;

/** A recorded plan that this process can not build the circuit of. The message says why and what helps. */
public final class UnreadablePlanException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnreadablePlanException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
