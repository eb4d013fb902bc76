/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/**
 * Bytes that should be a batch are not: damaged, cut, or of an unknown format. The message names where they came from.
 */
public final class CorruptBatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptBatchException(String message) {
        super(message);
    }

    public CorruptBatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
