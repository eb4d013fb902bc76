/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.context.ContextCommand;
import dev.ratchet.cli.store.KeysCommand;
import dev.ratchet.cli.store.StoreCommand;
import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.security.ClientThreads;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code ratchet}: the root of all commands, and their exit codes. */
@Command(
        name = "ratchet",
        description = "Works with a Ratchet cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class)
public final class RatchetCommand {

    private static final List<Class<?>> COMMANDS = List.of(
            SubmitCommand.class,
            StatusCommand.class,
            WorkersCommand.class,
            ContextCommand.class,
            LogsCommand.class,
            ObjectsCommand.class,
            FuturesCommand.class,
            SessionsCommand.class,
            ReleasesCommand.class,
            TraceCommand.class,
            KeysCommand.class,
            CheckCommand.class,
            StoreCommand.class,
            CircuitCommand.class);

    /** These ask no worker. */
    private static final List<String> WITHOUT_WORKERS = List.of("store", "circuit", "context");

    /** These tell of all commands. */
    private static final List<Class<?>> ABOUT_COMMANDS =
            List.of(CompletionCommand.class, CompleteCommand.class, CommandLine.HelpCommand.class);

    /**
     * Warns, with a stack, of every address that can not be reached although the next one may; the command itself says
     * so when none can. Held here, because the JDK forgets the level of a logger that nobody holds.
     */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    private RatchetCommand() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        boolean serves = arguments.length > 1 && arguments[0].equals("store") && arguments[1].equals("serve");
        if (!serves) {
            logLittle();
        }
        if (arguments.length > 0 && isNamed(arguments[0]) && !WITHOUT_WORKERS.contains(arguments[0])) {
            Thread.ofPlatform().name("prepare").daemon().start(GatewayConnection::prepare);
        }
        exit(commandLine(partsWith(ContextConnection::new), arguments).execute(arguments));
    }

    /** Ends the process with this exit code, and first of all its connections, for which the JVM would wait. */
    static void exit(int code) {
        ClientThreads.end();
        System.exit(code);
    }

    private static boolean isNamed(String argument) {
        return COMMANDS.stream()
                .anyMatch(type -> type.getAnnotation(Command.class).name().equals(argument));
    }

    /** Of what libraries log, only what nobody says otherwise. To be called before any of them is used. */
    static void logLittle() {
        CommandLogging.choose();
        GRPC_LOG.setLevel(Level.SEVERE);
    }

    /** The command line, for tests with streams of their own. */
    static CommandLine commandLine() {
        return commandLine(partsWith(ContextConnection::new));
    }

    /** Parts of commands that reach their cluster as {@code connection} says. */
    static CommandLine.IFactory partsWith(Supplier<ConnectionMixin> connection) {
        return new CommandLine.IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == ConnectionMixin.class
                        ? type.cast(connection.get())
                        : CommandLine.defaultFactory().create(type);
            }
        };
    }

    /** The same, with parts that {@code factory} makes. */
    static CommandLine commandLine(CommandLine.IFactory factory, String... arguments) {
        return configured(new CommandLine(new RatchetCommand(), factory), COMMANDS, ABOUT_COMMANDS, arguments);
    }

    /**
     * With the one command that the first argument names, or with all of them: to make all takes longer than most of
     * them take to run. The same conversions and errors for every command line.
     */
    static CommandLine configured(
            CommandLine line, List<Class<?>> commands, List<Class<?>> aboutCommands, String... arguments) {
        Optional<Class<?>> named = commands.stream()
                .filter(type -> arguments.length > 0
                        && type.getAnnotation(Command.class).name().equals(arguments[0]))
                .findFirst();
        named.ifPresentOrElse(line::addSubcommand, () -> Stream.concat(commands.stream(), aboutCommands.stream())
                .forEach(line::addSubcommand));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(FutureId.class, RatchetCommand::futureId)
                .setParameterExceptionHandler(RatchetCommand::misused)
                .setExecutionExceptionHandler(CommandFailures::handle);
    }

    private static int misused(ParameterException misuse, String[] arguments) {
        CommandLine command = misuse.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("ratchet: " + TerminalText.line(explain(misuse)) + " (see "
                + command.getCommandSpec().qualifiedName() + " --help)");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static String explain(ParameterException misuse) {
        CommandLine command = misuse.getCommandLine();
        boolean onlyGroups = !(command.getCommand() instanceof Callable<?>);
        if (misuse instanceof UnmatchedArgumentException unmatched) {
            List<String> similar = unmatched.getSuggestions();
            return "Nothing is known of " + String.join(" ", unmatched.getUnmatched()) + " here"
                    + (similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?");
        }
        return onlyGroups && command.getParseResult().matchedArgs().isEmpty()
                ? "Say what to do: "
                        + command.getSubcommands().entrySet().stream()
                                .filter(one -> !one.getValue()
                                        .getCommandSpec()
                                        .usageMessage()
                                        .hidden())
                                .map(Map.Entry::getKey)
                                .collect(Collectors.joining(", "))
                : String.valueOf(misuse.getMessage());
    }

    private static FutureId futureId(String text) {
        try {
            return FutureId.parse(text);
        } catch (InvalidInputException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }
}
