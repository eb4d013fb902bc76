/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.environment;

/** The environment can not do what it was asked to; the message is one line for the user and says what to do. */
public final class EnvironmentException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** @param exitCode 2 for what the user gave, 1 for everything else */
    public EnvironmentException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
