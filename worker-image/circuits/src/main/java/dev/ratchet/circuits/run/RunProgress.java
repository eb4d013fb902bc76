/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.SqlProgram;
import java.util.function.Supplier;

/** Hears of a run before its first step and after each, in the thread that runs it. */
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
     * After a step and at the end of the run, however it ends.
     *
     * @param circuit draws it as it is now; called during this call or not at all
     * @param ends whether it is the end
     */
    default void drawable(Supplier<CircuitPicture> circuit, boolean ends) {}
}
