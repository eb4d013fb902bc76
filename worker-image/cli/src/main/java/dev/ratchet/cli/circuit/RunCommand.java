/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.circuit.Sharding;
import dev.ratchet.circuits.run.CircuitRun;
import dev.ratchet.circuits.run.RunOptions;
import dev.ratchet.circuits.run.RunOptions.Kept;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ratchet circuit run}: applies changes from a file to a program and writes what they change in its views. */
@Command(
        name = "run",
        description = "Applies changes of tables to an SQL program and writes the changes of its views.",
        mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {

    private static final long MEGABYTE = 1 << 20;
    private static final long MEMORY_DEFAULT = Kept.MEMORY_BYTES_DEFAULT / MEGABYTE;
    private static final long MEMORY_MIN = Kept.MEMORY_BYTES_MIN / MEGABYTE;
    private static final long MEMORY_MAX = Long.MAX_VALUE / MEGABYTE;

    @Spec
    private CommandSpec spec;

    @Option(names = "--sql", paramLabel = "FILE", required = true, description = "the program")
    private Path program;

    @Option(
            names = "--in",
            paramLabel = "FILE",
            description = "changes, one per line: {\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{\"a\":1}}")
    private @Nullable Path in;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "where changes of views are written")
    private Path out;

    @Option(names = "--threads", paramLabel = "N", description = "threads (default: ${DEFAULT-VALUE})")
    private int threads = 1;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "keeps the circuit here; a run with the same directory goes on behind the last step")
    private @Nullable Path state;

    @Option(
            names = "--memory",
            paramLabel = "MB",
            description = "megabytes of the state that stay in memory, the rest being read from files; with --state"
                    + " (default: " + MEMORY_DEFAULT + ")")
    private long memory = MEMORY_DEFAULT;

    @Option(
            names = "--table",
            paramLabel = "TABLE=FILE",
            description = "rows of a table in the first step, as CSV whose first line names the columns")
    private Map<String, Path> tables = new LinkedHashMap<>();

    @Option(names = "--jar", paramLabel = "FILE", description = "jar with the classes of the program's functions")
    private List<Path> jars = List.of();

    @Option(
            names = "--on-error",
            paramLabel = "collect|stop",
            description = "what becomes of a row that can not be computed: it is left out and a row of the view errors"
                    + " says why, or the run stops before that step (default: ${DEFAULT-VALUE})")
    private OnError onError = OnError.COLLECT;

    @Option(names = "--progress", description = "says once a second how far the run is")
    private boolean progress;

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "draws the circuit with its rates once a second and at the end: .svg, .dot or .json")
    private @Nullable Path picture;

    private RunOptions options() {
        Kept kept =
                state == null ? null : new Kept(state, memory * MEGABYTE, Kept.COMMIT_NANOS_DEFAULT, System::nanoTime);
        return new RunOptions(program, in, out, threads, kept, tables, jars, onError);
    }

    @Override
    public Integer call() throws IOException {
        if (in == null && tables.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Give the changes with --in, or rows with --table");
        }
        if (threads < 1 || threads > Sharding.WORKER_THREADS_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--threads must be from 1 to " + Sharding.WORKER_THREADS_MAX + ", not " + threads);
        }
        if (memory < MEMORY_MIN || memory > MEMORY_MAX) {
            throw new ParameterException(
                    spec.commandLine(), "--memory must be at least " + MEMORY_MIN + " megabytes, not " + memory);
        }
        if (picture != null) {
            PictureFile.check(spec.commandLine(), picture);
        }
        PrintWriter err = spec.commandLine().getErr();
        ProgressLines lines = new ProgressLines(
                spec.commandLine().getOut(), err, progress, picture == null ? null : new PictureFile(picture));
        lines.end(new CircuitRun(options(), lines).run(), out);
        err.flush();
        return 0;
    }
}
