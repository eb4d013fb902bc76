/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ratchet submit}: runs a program whose tasks run on the cluster, or one task by its name. */
@Command(
        name = "submit",
        description = "Runs a program, or a single task, with the code of a jar.",
        mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    @Option(
            names = "--jar",
            required = true,
            paramLabel = "JAR",
            description = "a jar, or a directory of classes; may be repeated")
    private List<Path> jars = new ArrayList<>();

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            description = "a dev.ratchet.client.Program: runs here, its tasks on the workers")
    private @Nullable String className;

    @Option(names = "--task", paramLabel = "CLASS::METHOD", description = "a public static method: runs on a worker")
    private @Nullable String task;

    @Option(names = "--argument", paramLabel = "TEXT", description = "argument of the task")
    private String argument = "";

    @Option(names = "--job", paramLabel = "NAME", description = "job of the task (default: ${DEFAULT-VALUE})")
    private String job = "default";

    @Option(names = "--retries", paramLabel = "N", description = "retries of the task (default: ${DEFAULT-VALUE})")
    private int retries = 3;

    @Option(names = "--detach", description = "print the id of the task's future and do not wait for it")
    private boolean detach;

    @Parameters(
            paramLabel = "ARGUMENT",
            description = "arguments of the program; -- stands before them where one begins with a dash")
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ProgramCode code = ProgramCode.open(jars)) {
            if (className != null && task == null) {
                Program program = code.program(className);
                code.run(program, options(), arguments);
            } else if (task != null && className == null) {
                runTask(code, NamedTask.parse(task, argument));
            } else {
                throw new InvalidInputException("Give either --class or --task.");
            }
            return 0;
        }
    }

    private ConnectionOptions options() {
        ConnectionOptions options = connection.options();
        for (Path jar : jars) {
            options = options.withArtifact(jar);
        }
        return options;
    }

    private void runTask(ProgramCode code, NamedTask named) throws InterruptedException {
        code.require(named);
        PrintWriter out = spec.commandLine().getOut();
        SubmitOptions how = SubmitOptions.ofJob(job).withMaxRetries(retries).withName(named.method());
        ConnectionOptions options = options();
        try (Ratchet ratchet = Ratchet.connect(options)) {
            DurableFuture<Object> future = ratchet.submit(how, named);
            if (detach) {
                future.submitted()
                        .toCompletableFuture()
                        .orTimeout(options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                        .join();
                out.println(future.id());
            } else {
                out.println(future.get());
            }
            out.flush();
        }
    }
}
