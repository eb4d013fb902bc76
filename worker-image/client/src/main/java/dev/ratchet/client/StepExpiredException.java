/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * The changes of a view behind the step from which a program subscribes are not kept any more. Subscribe without a
 * step, which begins with all rows.
 */
public class StepExpiredException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public StepExpiredException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public StepExpiredException(String message, Throwable cause) {
        super(message, cause);
    }
}
