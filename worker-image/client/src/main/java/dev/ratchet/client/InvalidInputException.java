/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * What the caller gave can not be used: a file, an id, an option, an argument. Nothing was submitted. The command line
 * ends with exit code 2.
 */
public class InvalidInputException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public InvalidInputException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
