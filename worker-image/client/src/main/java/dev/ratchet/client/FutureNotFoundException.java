/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** No future with this id is known: never submitted to this cluster, or deleted. */
public class FutureNotFoundException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public FutureNotFoundException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public FutureNotFoundException(String message, Throwable cause) {
        super(message, cause);
    }
}
