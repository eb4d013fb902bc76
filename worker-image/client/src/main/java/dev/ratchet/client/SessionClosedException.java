/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** The session is closed, or not known any more: it runs nothing. */
public class SessionClosedException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public SessionClosedException(String message) {
        super(message);
    }
}
