/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.query.RefusedException.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes rows for the tables of the program that runs, and tells producers what is there. What can not be taken is
 * refused by {@link RefusedException} before it reaches the log. Nothing blocks; safe for use by several threads.
 */
public final class TableIntake {

    private static final int PRODUCER_LENGTH_MAX = 200;

    private final ServedCircuit circuit;
    private final WaitingBytes waiting;

    public TableIntake(ServedCircuit circuit, WaitingBytes waiting) {
        this.circuit = circuit;
        this.waiting = waiting;
    }

    /** What counts all that is read and stored. */
    public WaitingBytes waiting() {
        return waiting;
    }

    public List<Relation> tables() {
        return ProgramLookup.running(circuit).tables();
    }

    /** A table by its name, in any case where none has it as it is written. */
    public Relation table(String name) {
        return ProgramLookup.named("table", name, tables());
    }

    /**
     * Appends rows as {@link dev.ratchet.dataflow.InputLog#append} does, to the tables of these names in any case.
     *
     * @param request whose bytes the caller has counted
     */
    public CompletableFuture<Received> append(InputRequest request) {
        checkProducer(request.producer());
        List<TableRows> tables = request.tables().stream()
                .map(rows -> new TableRows(table(rows.table()).name(), rows.format(), rows.rows(), rows.linesBefore()))
                .toList();
        return circuit.inputs().append(new InputRequest(request.producer(), request.sequence(), tables));
    }

    /** What the log has of a producer. */
    public CompletableFuture<Received> received(String producer) {
        checkProducer(producer);
        return circuit.inputs().received(producer);
    }

    private static void checkProducer(String name) {
        if (name.length() > PRODUCER_LENGTH_MAX || name.chars().anyMatch(Character::isISOControl)) {
            throw new RefusedException(
                    Reason.MISTAKE,
                    "The producer's name has " + name.length() + " characters",
                    "Give one of up to " + PRODUCER_LENGTH_MAX + " characters without control characters");
        }
    }
}
