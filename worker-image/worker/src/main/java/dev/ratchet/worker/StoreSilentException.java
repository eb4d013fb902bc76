/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

/** The store gives no answer, and the pod's condition does not say so yet. */
final class StoreSilentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreSilentException(String why) {
        super(why);
    }
}
