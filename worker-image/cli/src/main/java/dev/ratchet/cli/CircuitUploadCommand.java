/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.program.ClassProgram;
import dev.ratchet.circuits.program.ProgramInvalidException;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.JarUpload;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet circuit upload}: brings the jar of a circuit's program to a cluster. */
@Command(
        name = "upload",
        description = {
            "Uploads the jar of a circuit's program and prints its digest, for spec.circuit.class.artifact.",
            "A cluster keeps it for an hour, and then for as long as its circuit is of that jar."
        },
        mixinStandardHelpOptions = true)
final class CircuitUploadCommand extends GatewayCommand {

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            description = "the program's class: it is built here first, and its tables and views are shown")
    private @Nullable String className;

    @Parameters(paramLabel = "JAR", description = "the jar, with the libraries that the program needs")
    private Path jar = Path.of("");

    @Override
    void check() {
        requireValue("--class", className);
        if (!Files.isRegularFile(jar)) {
            throw new InvalidInputException("There is no jar at " + jar + ".");
        }
        if (className != null) {
            try {
                ClassProgram program = ClassProgram.load(jar, className, OutputKeys.NONE);
                notes().println(className + ": tables " + names(program.tables()) + ", views "
                        + names(program.views()));
            } catch (ProgramInvalidException invalid) {
                throw new InvalidInputException(String.valueOf(invalid.getMessage()), invalid);
            }
        }
    }

    private static List<String> names(List<Relation> relations) {
        return relations.stream().map(Relation::name).toList();
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) throws InterruptedException {
        try {
            out.println("sha256:" + JarUpload.of(gateway, jar).get());
            return 0;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException told
                    ? told
                    : new CompletionException(failed.getCause());
        }
    }
}
