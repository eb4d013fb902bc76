/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /** The views that can be read: those of the program, and that of its errors. */
    static List<Relation> views(SqlProgram program) {
        List<Relation> views = new ArrayList<>(program.views());
        if (views.stream().noneMatch(view -> view.name().equals(StepErrors.VIEW))) {
            List<Relation.Column> columns = new ArrayList<>();
            for (int column = 0; column < StepErrors.COLUMNS.size(); column++) {
                columns.add(new Relation.Column(
                        StepErrors.COLUMNS.get(column), StepErrors.types().get(column)));
            }
            views.add(new Relation(StepErrors.VIEW, columns, Map.of()));
        }
        return views;
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
