/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local;

import dev.ratchet.local.demo.Demo;
import dev.ratchet.local.demo.Recording;
import dev.ratchet.local.environment.EnvironmentControl;
import dev.ratchet.local.environment.EnvironmentException;
import dev.ratchet.local.environment.Home;
import dev.ratchet.local.environment.Supervisor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What {@code ./ratchet} runs once everything is built: {@code up}, {@code down}, {@code demo}, and the supervisor's
 * own process. Results go to standard output, all else to standard error; bad input is one line and exit code 2.
 */
@Command(
        name = "./ratchet",
        description = "Ratchet on this machine, without Kubernetes.",
        synopsisSubcommandLabel = "COMMAND")
public final class LocalMain {

    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;
    private static final int NODES_MAX = 16;

    @Option(names = "--home", required = true, hidden = true)
    private Path home = Path.of("");

    @Option(names = "--distribution", required = true, hidden = true)
    private Path distribution = Path.of("");

    public static void main(String[] arguments) {
        System.exit(run(System.err, arguments));
    }

    static int run(PrintStream errors, String... arguments) {
        return new CommandLine(new LocalMain())
                .setParameterExceptionHandler((failure, given) -> {
                    String message = failure instanceof UnmatchedArgumentException unmatched
                            ? "nothing is known of " + String.join(" ", unmatched.getUnmatched()) + " here"
                            : failure.getMessage();
                    errors.println("ratchet: " + message + " (see ./ratchet help)");
                    return BAD_INPUT;
                })
                .setExecutionExceptionHandler((failure, line, given) -> {
                    errors.println(
                            "ratchet: " + (failure instanceof EnvironmentException ? failure.getMessage() : failure));
                    return failure instanceof EnvironmentException told ? told.exitCode() : FAILED;
                })
                .execute(arguments);
    }

    @Command(description = "Start an environment, unless it runs, and print how to reach it.")
    int up(
            @Option(
                            names = "--nodes",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "nodes that pods are placed on, 1 to " + NODES_MAX)
                    int nodes)
            throws EnvironmentException, IOException, InterruptedException {
        if (nodes < 1 || nodes > NODES_MAX) {
            throw new EnvironmentException(
                    BAD_INPUT, "--nodes must be 1 to " + NODES_MAX + ", and is " + nodes + "; give another number");
        }
        EnvironmentControl control = control();
        boolean started = control.up(nodes);
        System.err.println(
                started ? "the environment is up; its logs are in " + home : "the environment is up already");
        System.out.println(control.home().kubeconfigExport());
        return 0;
    }

    @Command(description = "Stop the environment and all its processes.")
    int down() throws IOException, InterruptedException {
        System.err.println(control().down() ? "the environment is down" : "no environment is running");
        return 0;
    }

    @Command(description = "Count the words of a folder on a cluster that grows, loses a worker and shrinks meanwhile.")
    int demo(
            @Parameters(arity = "0..1", paramLabel = "FOLDER", description = "with text files") Optional<Path> folder,
            @Option(names = "--output", paramLabel = "FILE", description = "for every count, as word<TAB>count")
                    Optional<Path> output,
            @Option(names = "--keep", description = "leave the environment running") boolean keep)
            throws EnvironmentException, IOException, InterruptedException {
        return new Demo(control(), distribution.toAbsolutePath().normalize(), System.out).run(folder, output, keep);
    }

    @Command(hidden = true, description = "Run what processes usually do once, for the lists of the classes they load.")
    int record() throws EnvironmentException, IOException, InterruptedException {
        return new Recording(control(), distribution.toAbsolutePath().normalize()).run();
    }

    @Command(hidden = true, description = "Be the environment.")
    int supervise(@Option(names = "--nodes", defaultValue = "1") int nodes) throws IOException, InterruptedException {
        Supervisor.run(new Home(home), distribution.toAbsolutePath().normalize(), nodes);
        return 0;
    }

    private EnvironmentControl control() {
        return new EnvironmentControl(new Home(home), distribution);
    }
}
