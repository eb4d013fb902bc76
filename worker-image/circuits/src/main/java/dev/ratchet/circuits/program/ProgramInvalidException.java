/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.program;

/** A program can not be run as it is; the message says why and what to do. */
public final class ProgramInvalidException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public ProgramInvalidException(String message) {
        super(message);
    }

    public ProgramInvalidException(String message, Throwable cause) {
        super(message, cause);
    }
}
