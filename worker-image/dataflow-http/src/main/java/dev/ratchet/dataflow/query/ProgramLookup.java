/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.RefusedException.Reason;
import dev.ratchet.dataflow.record.ProgramViews;
import java.util.List;
import java.util.stream.Collectors;

/** Finds what requests name in the program that runs. */
public final class ProgramLookup {

    private ProgramLookup() {}

    /** The program that runs. @throws RefusedException where none does */
    public static CompiledProgram running(ServedCircuit circuit) {
        return circuit.program().orElseThrow(() -> notRunning(circuit));
    }

    /** The picture of the run that goes on. @throws RefusedException where none does */
    public static CircuitPicture picture(ServedCircuit circuit) {
        return circuit.picture().orElseThrow(() -> notRunning(circuit));
    }

    private static RefusedException notRunning(ServedCircuit circuit) {
        return notRunning(circuit, "No circuit runs here: " + circuit.status().message());
    }

    static RefusedException notRunning(ServedCircuit circuit, String message) {
        return new RefusedException(
                Reason.NOT_RUNNING,
                message,
                "Try again; the circuit is " + circuit.status().state());
    }

    /**
     * A table or view by its name, in any case where none has it as it is written.
     *
     * @throws RefusedException where there is none
     */
    public static Relation named(String kind, String name, List<Relation> relations) {
        return ProgramViews.named(relations, name)
                .orElseThrow(() -> new RefusedException(
                        Reason.NO_SUCH_RELATION,
                        "There is no " + kind + " '" + name + "' in the program",
                        "Its " + kind + "s are "
                                + relations.stream().map(Relation::name).collect(Collectors.joining(", "))));
    }
}
