/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** No worker had the slots of the session free in time. */
public class SessionCreationTimeoutException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public SessionCreationTimeoutException(String message) {
        super(message);
    }
}
