/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.share.ViewReader;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The circuit of this worker as feeds see it.
 *
 * @param program that runs or is to run; empty while none is known
 * @param views merges the shares of all workers
 */
public record FedCircuit(Supplier<Optional<CompiledProgram>> program, ViewReader views) {

    /** The columns of a view; empty where there is no such view in the program that is known. */
    Optional<Relation> view(String name) {
        return program.get().flatMap(known -> known.views().stream()
                .filter(view -> view.name().equals(name))
                .findFirst());
    }
}
