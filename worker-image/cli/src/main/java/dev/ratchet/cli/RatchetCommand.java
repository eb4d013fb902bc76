/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.circuit.CircuitCommand;
import dev.ratchet.cli.store.KeysCommand;
import dev.ratchet.cli.store.StoreCommand;
import java.io.PrintWriter;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ratchet}: the root of all commands, and their exit codes. */
@Command(
        name = "ratchet",
        description = "Works with a Ratchet cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = Release.class,
        subcommands = {
            SubmitCommand.class,
            StatusCommand.class,
            WorkersCommand.class,
            LogsCommand.class,
            ObjectsCommand.class,
            FuturesCommand.class,
            TraceCommand.class,
            KeysCommand.class,
            CheckCommand.class,
            StoreCommand.class,
            CircuitCommand.class,
            CommandLine.HelpCommand.class
        })
public final class RatchetCommand implements Runnable {

    /**
     * Warns, with a stack, of every address that can not be reached although the next one may; the command itself says
     * so when none can. Held here, because the JDK forgets the level of a logger that nobody holds.
     */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    @Spec
    private CommandSpec spec;

    private RatchetCommand() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        boolean serves = arguments.length > 1 && arguments[0].equals("store") && arguments[1].equals("serve");
        if (!serves) {
            System.setProperty("logback.configurationFile", "dev/ratchet/cli/logback.xml");
            GRPC_LOG.setLevel(Level.SEVERE);
        }
        System.exit(commandLine().execute(arguments));
    }

    /** The command line, for tests with streams of their own. */
    static CommandLine commandLine() {
        return commandLine(CommandLine.defaultFactory());
    }

    /** The same, with parts that {@code factory} makes. */
    static CommandLine commandLine(CommandLine.IFactory factory) {
        return new CommandLine(new RatchetCommand(), factory)
                .setParameterExceptionHandler(RatchetCommand::misused)
                .setExecutionExceptionHandler(Failures::handle);
    }

    private static int misused(ParameterException misuse, String[] arguments) {
        CommandLine command = misuse.getCommandLine();
        PrintWriter err = command.getErr();
        String message = String.valueOf(misuse.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        err.println("ratchet: " + message + " (see " + command.getCommandSpec().qualifiedName() + " --help)");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do");
    }
}
