/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import org.jspecify.annotations.Nullable;

/**
 * What several that run one circuit decide together within a step: the threads of a process, and the processes. All of
 * them call the same methods in the same order, wait there for each other, and are told the same.
 */
interface Agreement {

    /** Hands over the rows that were sent; what anyone did before is done for all behind it. */
    void exchange(int party);

    /** The smallest of the numbers that all say. */
    int least(int party, int value);

    /** The first that anyone says, in the order of their numbers; null where nobody rejects the step. */
    @Nullable
    StepRejectedException first(int party, @Nullable StepRejectedException rejection);
}
