/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

/** A container can not start yet; it is tried again when something changes. Carries what its status shows meanwhile. */
final class NotReadyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    NotReadyException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** One word, as Kubernetes says it, such as {@code CreateContainerConfigError}. */
    String reason() {
        return reason;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
