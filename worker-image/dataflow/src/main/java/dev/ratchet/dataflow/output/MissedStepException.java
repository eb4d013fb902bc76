/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.output;

/** A step does not follow the last one, so that what lies between would be missing to those who follow a view. */
public final class MissedStepException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MissedStepException(String view, long step, long last) {
        super("the changes of view " + view + " in step " + step + " do not follow those of step " + last
                + ", the last one that is there");
    }
}
