/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import java.util.List;
import java.util.Optional;

/**
 * What this process has done of the circuit since its run began, as it was after a step not long ago.
 *
 * @param operators in the order of the plan; rows, time and state are those of this process alone
 * @param threadNanos spent in operators, by thread of this process
 * @param picture of the circuit with {@code operators}; empty while there is no run
 */
public record CircuitWork(List<OperatorMetrics> operators, List<Long> threadNanos, Optional<CircuitPicture> picture) {

    /** While there is no run. */
    public static final CircuitWork NONE = new CircuitWork(List.of(), List.of(), Optional.empty());

    public CircuitWork {
        operators = List.copyOf(operators);
        threadNanos = List.copyOf(threadNanos);
    }
}
