/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import java.util.List;
import java.util.stream.Collectors;

/** Finds what requests name in the program that runs. */
final class Programs {

    private Programs() {}

    /** The program that runs. @throws HttpFailure with 503 where none does */
    static SqlProgram running(ServedCircuit circuit) {
        return circuit.program()
                .orElseThrow(() -> notRunning(
                        circuit, "No circuit runs here: " + circuit.status().message()));
    }

    static HttpFailure notRunning(ServedCircuit circuit, String message) {
        return new HttpFailure(503, message, "Try again; /v1/status tells what the circuit waits for")
                .header("Retry-After", "1")
                .detail("state", circuit.status().state().name());
    }

    /** A table or view by its name, in any case where only one has it. */
    static Relation named(String kind, String name, List<Relation> relations) {
        return relations.stream()
                .filter(relation -> relation.name().equals(name))
                .findFirst()
                .or(() -> relations.stream()
                        .filter(relation -> relation.name().equalsIgnoreCase(name))
                        .findFirst())
                .orElseThrow(() -> new HttpFailure(
                        404,
                        "There is no " + kind + " '" + name + "' in the program",
                        "Its " + kind + "s are "
                                + relations.stream().map(Relation::name).collect(Collectors.joining(", "))));
    }
}
