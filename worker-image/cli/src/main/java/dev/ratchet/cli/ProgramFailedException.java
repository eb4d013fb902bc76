/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.RatchetException;

/** The user's program, which runs in this process, has thrown something that is none of Ratchet's. */
final class ProgramFailedException extends RatchetException {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    ProgramFailedException(String className, Throwable thrown) {
        super("The program " + className + " has failed: " + thrown, thrown);
        this.thrown = thrown;
    }

    Throwable thrown() {
        return thrown;
    }
}
