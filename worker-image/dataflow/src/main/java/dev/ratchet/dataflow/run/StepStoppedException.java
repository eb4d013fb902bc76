/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

/** A step can not be taken, in whichever process and however often; a person must decide. */
final class StepStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long step;

    StepStoppedException(long step, String message, Throwable cause) {
        super(message, cause);
        this.step = step;
    }

    StepStoppedException(long step, String message) {
        super(message);
        this.step = step;
    }

    long step() {
        return step;
    }
}
