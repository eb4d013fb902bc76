/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** The time limit of a wait has passed; the future itself goes on. */
public class AwaitTimeoutException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public AwaitTimeoutException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public AwaitTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
