/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.circuit.CircuitClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks the circuit of a cluster; what is given is checked before anything is connected. */
abstract class ServedCircuitCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    /** Refuses arguments. @throws dev.ratchet.client.InvalidInputException which says why */
    void check() {}

    /** Asks, and prints the answer. */
    abstract void ask(CircuitClient circuit, PrintWriter out) throws IOException, InterruptedException;

    final CommandLine commandLine() {
        return spec.commandLine();
    }

    /** Where to put what is said beside the answer. */
    final PrintWriter notes() {
        return spec.commandLine().getErr();
    }

    final void note(String line) {
        PrintWriter err = notes();
        err.println("ratchet: " + line);
        err.flush();
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        check();
        PrintWriter out = spec.commandLine().getOut();
        try (CircuitClient circuit = connection.openCircuit()) {
            ask(circuit, out);
        } finally {
            out.flush();
        }
        return 0;
    }
}
