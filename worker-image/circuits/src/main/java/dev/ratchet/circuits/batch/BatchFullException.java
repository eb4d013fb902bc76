/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/** More rows or bytes than one batch under construction holds. */
public final class BatchFullException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    BatchFullException(String message) {
        super(message);
    }
}
