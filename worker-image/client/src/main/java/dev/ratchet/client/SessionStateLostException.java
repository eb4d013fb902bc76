/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * Thrown by a task of a session that finds that what it left on its worker is gone, such as after
 * {@linkplain SessionOptions#withReestablishment a restart}: the session fails with
 * {@link SessionFailureReason#STATE_LOST}, and this task with it.
 */
public class SessionStateLostException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what is missing */
    public SessionStateLostException(String message) {
        super(message);
    }
}
