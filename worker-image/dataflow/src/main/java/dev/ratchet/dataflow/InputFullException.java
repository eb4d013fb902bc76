/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/** The circuit is so far behind its input that no more is taken for now. */
public final class InputFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long retryMillis;

    /** @param retryMillis when to try again */
    public InputFullException(String message, long retryMillis) {
        super(message);
        this.retryMillis = retryMillis;
    }

    public long retryMillis() {
        return retryMillis;
    }
}
