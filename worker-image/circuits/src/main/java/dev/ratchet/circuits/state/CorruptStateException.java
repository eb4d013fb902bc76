/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/** A state directory holds what this release can not read; the message names the file, what is wrong and the remedy. */
public final class CorruptStateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CorruptStateException(String message) {
        super(message);
    }

    public CorruptStateException(String message, Throwable cause) {
        super(message, cause);
    }
}
