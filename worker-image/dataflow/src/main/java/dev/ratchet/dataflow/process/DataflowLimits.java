/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.process;

import dev.ratchet.dataflow.control.StepLimits;
import dev.ratchet.dataflow.log.InputLimits;

/** How much a circuit takes at once. */
public record DataflowLimits(InputLimits input, StepLimits steps) {

    public static final DataflowLimits DEFAULT = new DataflowLimits(InputLimits.DEFAULT, StepLimits.DEFAULT);
}
