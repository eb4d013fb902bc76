/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

/** Hears of a run after each step, in the thread that runs it. */
@FunctionalInterface
public interface RunProgress {

    /**
     * After a step.
     *
     * @param step its number in the input
     * @param rowsIn all rows read so far
     * @param rowsOut all rows written so far
     */
    void step(long step, long rowsIn, long rowsOut);
}
