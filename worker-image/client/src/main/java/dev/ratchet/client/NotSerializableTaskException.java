/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A task or its argument can not be serialised; the message names the path of fields to the culprit. Nothing was
 * submitted.
 */
public class NotSerializableTaskException extends RatchetException {
    private static final long serialVersionUID = 1L;

    public NotSerializableTaskException(String message) {
        super(message);
    }

    public NotSerializableTaskException(String message, Throwable cause) {
        super(message, cause);
    }
}
