/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.run.CircuitRun;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ratchet circuit explain}: the relational plan of each view and the operators that the program becomes. */
@Command(
        name = "explain",
        description = "Shows the plan of each view and the operators of the circuit.",
        mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--sql", paramLabel = "FILE", required = true, description = "the program")
    private Path program;

    @Option(names = "--jar", paramLabel = "FILE", description = "jar with the classes of the program's functions")
    private List<Path> jars = List.of();

    @Option(
            names = "--cluster",
            description =
                    "as a cluster runs it, where tables with a primary key take upserts, and not as circuit run does")
    private boolean isForCluster;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        RepeatedKeys repeated = isForCluster ? RepeatedKeys.UPSERTED : RepeatedKeys.REFUSED;
        SqlProgram compiled = CircuitRun.compile(program, jars, repeated);
        out.println(compiled.explanation());
        out.print(compiled.explained());
        out.flush();
        return 0;
    }
}
