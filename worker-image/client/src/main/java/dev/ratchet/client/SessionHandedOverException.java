/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** The session was handed over: another session has its slots, and who took it over decides what runs there. */
public class SessionHandedOverException extends SessionClosedException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public SessionHandedOverException(String message) {
        super(message);
    }
}
