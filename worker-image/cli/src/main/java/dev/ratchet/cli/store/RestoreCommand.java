/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet store restore}: makes the directory of a stopped store hold what a backup holds. Checks the whole
 * backup before it changes anything. Generation and versions are raised, so that whoever worked with the store before
 * leaves when the restored one is served.
 */
@Command(
        name = "restore",
        description = "Puts a backup into the directory of an embedded store that is stopped.",
        mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {

    private static final String STANDARD_INPUT = "-";

    @Spec
    private CommandSpec spec;

    @Mixin
    private DataDirectory data;

    @Option(names = "--replace", description = "give up what the directory holds now")
    private boolean replace;

    @Parameters(paramLabel = "FILE|-", description = "what ratchet store backup has written; - for standard input")
    private String source = "";

    @Override
    public Integer call() throws IOException {
        Path directory = data.path();
        if (DataDirectory.holdsStore(directory) && !replace) {
            throw new IllegalArgumentException(
                    directory + " holds a store: give an empty directory, or --replace to give up what it holds");
        }
        boolean piped = source.equals(STANDARD_INPUT);
        Path file = piped ? Files.createTempFile("ratchet-", ".backup") : Path.of(source);
        try (SystemEnvironment environment = new SystemEnvironment()) {
            if (piped) {
                Files.copy(System.in, file, StandardCopyOption.REPLACE_EXISTING);
            } else if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("There is no file " + file + " that can be read");
            }
            long generation = EmbeddedStore.restore(file, directory, environment);
            spec.commandLine()
                    .getOut()
                    .println("Restored " + (piped ? "standard input" : source) + " to " + directory + ": generation "
                            + generation);
            return 0;
        } finally {
            if (piped) {
                Files.deleteIfExists(file);
            }
        }
    }
}
