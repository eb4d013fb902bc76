/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** An actor was called while too many of its calls were pending; nothing was submitted. */
public class PendingCallsExceededException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public PendingCallsExceededException(String message) {
        super(message);
    }
}
