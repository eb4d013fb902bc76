/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** Any failure that Ratchet reports. The message says what happened, with which values, and what to do. */
public class RatchetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RatchetException(String message) {
        super(message);
    }

    public RatchetException(String message, Throwable cause) {
        super(message, cause);
    }
}
