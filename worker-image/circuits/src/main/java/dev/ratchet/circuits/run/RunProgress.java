/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.sql.SqlProgram;

/** Hears of a run before its first step and after each: one call at a time, those after a step on any thread. */
@FunctionalInterface
public interface RunProgress {

    /** Before the first step. */
    default void compiled(SqlProgram program) {}

    /**
     * After a step.
     *
     * @param step its number in the input
     * @param rowsIn all rows read so far
     * @param rowsOut all rows written so far
     */
    void step(long step, long rowsIn, long rowsOut);

    /**
     * After {@link #step} and at the end of the run, however it ends.
     *
     * @param circuit as it is now; to be looked at during this call
     * @param ends whether it is the end
     */
    default void circuit(Circuit circuit, boolean ends) {}
}
