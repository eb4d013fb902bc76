/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** No worker of the cluster could be reached, or none accepts this client. */
public class ConnectionException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public ConnectionException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public ConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
