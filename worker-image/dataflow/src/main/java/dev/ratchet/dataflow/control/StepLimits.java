/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

/**
 * How large steps are.
 *
 * @param ahead steps that may be divided beyond what all processes have finished
 * @param stepBytes of input at most, beyond which a step takes no further request
 * @param stepMillis how long a step should take at most: its lines and bytes are limited so
 * @param replayMillis of computing since the last version, after which the next one is made
 * @param replayBytes of input since the last version, after which the next one is made
 * @param keptDivisions steps for which it is known which input they have, beyond those that may be taken again
 */
public record StepLimits(
        int ahead, long stepBytes, long stepMillis, long replayMillis, long replayBytes, long keptDivisions) {

    public static final StepLimits DEFAULT = new StepLimits(4, 8L << 20, 200, 500, 64L << 20, 10_000);
}
