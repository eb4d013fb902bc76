/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.process;

import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.dataflow.control.StepLimits;
import dev.ratchet.dataflow.log.InputLimits;

/**
 * How much a circuit takes at once.
 *
 * @param smallStepRows see {@link CircuitOptions}
 */
public record DataflowLimits(InputLimits input, StepLimits steps, int smallStepRows) {

    public static final DataflowLimits DEFAULT =
            new DataflowLimits(InputLimits.DEFAULT, StepLimits.DEFAULT, CircuitOptions.SMALL_STEP_ROWS_DEFAULT);
}
