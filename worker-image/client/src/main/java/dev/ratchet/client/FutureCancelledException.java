/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** The future was cancelled before it had a result. */
public class FutureCancelledException extends RatchetException {
    private static final long serialVersionUID = 1L;

    public FutureCancelledException(String message) {
        super(message);
    }

    public FutureCancelledException(String message, Throwable cause) {
        super(message, cause);
    }
}
