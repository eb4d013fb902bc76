/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A task or its argument can not be serialised; the message names the path of fields to the culprit. Nothing was
 * submitted.
 */
public class NotSerializableTaskException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public NotSerializableTaskException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public NotSerializableTaskException(String message, Throwable cause) {
        super(message, cause);
    }
}
