/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.InputLog;
import dev.ratchet.dataflow.process.Dataflow;
import dev.ratchet.dataflow.share.ViewReader;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The circuit that this worker takes part in.
 *
 * @param views merges the shares of all workers
 */
public record DataflowCircuit(Dataflow dataflow, ViewReader views) implements ServedCircuit {

    @Override
    public Optional<CompiledProgram> program() {
        return dataflow.program();
    }

    @Override
    public InputLog inputs() {
        return dataflow.inputs();
    }

    @Override
    public DataflowStatus status() {
        return dataflow.status();
    }

    @Override
    public Optional<CircuitPicture> picture() {
        return dataflow.work().picture();
    }

    @Override
    public CompletableFuture<Optional<String>> inputOf(long step) {
        return dataflow.inputOf(step);
    }

    @Override
    public CompletableFuture<Long> lastStep() {
        return dataflow.lastStep();
    }
}
