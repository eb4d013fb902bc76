/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** The result was lost with the workers that held it and could not be computed again. */
public class ObjectLostException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public ObjectLostException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public ObjectLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
