/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** The session has failed: it runs nothing any more, and another one must be opened to try again. */
public class SessionFailedException extends RatchetException {
    private static final long serialVersionUID = 1L;

    private final SessionFailureReason reason;

    /** @param message what happened, with which values, and what to do */
    public SessionFailedException(String message, SessionFailureReason reason) {
        super(message);
        this.reason = reason;
    }

    /** Why it has failed. */
    public SessionFailureReason reason() {
        return reason;
    }
}
