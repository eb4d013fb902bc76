/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.InputLog;
import dev.ratchet.dataflow.share.ViewReader;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The circuit of a cluster as those see it who ask it from outside. Safe for use by several threads. */
public interface ServedCircuit {

    /** The program that runs; empty while none does. */
    Optional<CompiledProgram> program();

    /** Where rows go. */
    InputLog inputs();

    /** Where views are read. */
    ViewReader views();

    DataflowStatus status();

    /** The circuit drawn, with what this worker has done of it since its run began; empty while there is no run. */
    Optional<CircuitPicture> picture();

    /** The position of the input log up to which a step has all input; empty where it is not known any more. */
    CompletableFuture<Optional<String>> inputOf(long step);

    /** The last step that the circuit has; no view has told a later one. */
    CompletableFuture<Long> lastStep();
}
