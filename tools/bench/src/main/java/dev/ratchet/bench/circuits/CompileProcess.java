/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.sql.SqlProgram;
import java.util.Locale;

/**
 * The process that takes each question from its text to a circuit that has run its first, empty step: the first time in
 * a new process, then warm. Arguments: names of queries.
 */
public final class CompileProcess {

    private static final int ROUNDS = 10;

    private CompileProcess() {}

    /** Prints for each query its name, and milliseconds of the first round and of the last one. */
    public static void main(String[] arguments) {
        for (int round = 1; round <= ROUNDS; round++) {
            for (String name : arguments) {
                String text = NexmarkQuery.named(name).program(true);
                long began = System.nanoTime();
                try (Circuit circuit = new Circuit(SqlProgram.compile(text).plan(), CircuitOptions.inMemory(1))) {
                    circuit.step();
                }
                double millis = (System.nanoTime() - began) / 1e6;
                if (round == 1 || round == ROUNDS) {
                    System.out.printf(
                            Locale.ROOT,
                            "%s\t%s, %s\t%.1f%n",
                            NexmarkRuns.RESULT,
                            name,
                            round == 1 ? "cold" : "warm",
                            millis);
                }
            }
        }
    }
}
