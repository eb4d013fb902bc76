/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.ReadRefusedException;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.ViewAnswers;
import java.util.List;
import java.util.stream.Collectors;

/** Finds what requests name in the program that runs. */
final class Programs {

    private Programs() {}

    /** The program that runs. @throws HttpFailure with 503 where none does */
    static CompiledProgram running(ServedCircuit circuit) {
        return circuit.program()
                .orElseThrow(() -> notRunning(
                        circuit, "No circuit runs here: " + circuit.status().message()));
    }

    static HttpFailure notRunning(ServedCircuit circuit, String message) {
        return new HttpFailure(503, message, "Try again; /v1/status tells what the circuit waits for")
                .header("Retry-After", "1")
                .detail("state", circuit.status().state().name());
    }

    /** What a caller is told of a view or a query that is not answered. */
    static HttpFailure told(ServedCircuit circuit, ReadRefusedException refused) {
        String message = String.valueOf(refused.getMessage());
        HttpFailure failure =
                switch (refused.reason()) {
                    case NOT_RUNNING -> notRunning(circuit, message);
                    case NO_SUCH_VIEW -> new HttpFailure(404, message, refused.remedy());
                    case MISTAKE -> new HttpFailure(400, message, refused.remedy());
                    case TOO_LARGE -> new HttpFailure(413, message, refused.remedy());
                    case TOO_LONG -> new HttpFailure(422, message, refused.remedy());
                    case BUSY -> new HttpFailure(429, message, refused.remedy()).header("Retry-After", "1");
                };
        return refused.line() == 0
                ? failure
                : failure.detail("line", refused.line()).detail("column", refused.column());
    }

    /** A table or view by its name, in any case where only one has it. */
    static Relation named(String kind, String name, List<Relation> relations) {
        return ViewAnswers.named(name, relations)
                .orElseThrow(() -> new HttpFailure(
                        404,
                        "There is no " + kind + " '" + name + "' in the program",
                        "Its " + kind + "s are "
                                + relations.stream().map(Relation::name).collect(Collectors.joining(", "))));
    }
}
