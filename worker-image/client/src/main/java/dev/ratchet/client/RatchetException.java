/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** Any failure that Ratchet reports. The message says what happened, with which values, and what to do. */
public class RatchetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public RatchetException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public RatchetException(String message, Throwable cause) {
        super(message, cause);
    }
}
