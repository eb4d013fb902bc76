/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.run.CircuitRun;
import dev.ratchet.circuits.run.InputException;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ratchet circuit explain}: the relational plan of each view and the operators that the program becomes. */
@Command(
        name = "explain",
        description = "Shows the plan of each view and the operators of the circuit.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {

    private static final int BAD_INPUT = 2;

    @Spec
    private CommandSpec spec;

    @Option(names = "--sql", paramLabel = "FILE", required = true, description = "the program")
    private Path program;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            SqlProgram compiled = CircuitRun.compile(program, ExplainCommand.class.getClassLoader());
            out.println(compiled.explanation());
            for (Node node : compiled.plan().allNodes()) {
                String inputs = node.inputs().stream()
                        .map(input -> Integer.toString(input.number()))
                        .collect(Collectors.joining(", "));
                out.println(node.number() + " " + node.kind() + (inputs.isEmpty() ? "" : " of " + inputs)
                        + (node.description().isEmpty() ? "" : ": " + node.description()));
            }
            out.flush();
            return 0;
        } catch (InputException e) {
            spec.commandLine().getErr().println("ratchet: " + e.getMessage());
            spec.commandLine().getErr().flush();
            return BAD_INPUT;
        }
    }
}
