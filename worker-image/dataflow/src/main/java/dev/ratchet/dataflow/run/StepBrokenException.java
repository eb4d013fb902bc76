/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

/** A step could not be computed, for a reason that may be gone when it is tried again. */
final class StepBrokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long step;

    StepBrokenException(long step, RuntimeException cause) {
        super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
        this.step = step;
    }

    long step() {
        return step;
    }
}
