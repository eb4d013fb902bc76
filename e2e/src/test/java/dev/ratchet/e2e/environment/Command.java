/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs one process to its end and keeps what it said.
 *
 * @param printed its standard output
 * @param complaints its standard error: what went wrong, and warnings that have nothing to do with the command
 */
public record Command(List<String> words, int exitCode, String printed, String complaints) {

    private static final long TIMEOUT_SECONDS = 300;

    /** Runs the words with the extra environment. */
    public static Command run(Map<String, String> environment, String input, List<String> words) {
        try {
            Path printed = Files.createTempFile("ratchet-command", ".out");
            Path complaints = Files.createTempFile("ratchet-command", ".err");
            ProcessBuilder builder = new ProcessBuilder(words);
            builder.environment().putAll(environment);
            Process process = builder.redirectOutput(printed.toFile())
                    .redirectError(complaints.toFile())
                    .start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            Command run =
                    new Command(words, process.exitValue(), Files.readString(printed), Files.readString(complaints));
            Files.delete(printed);
            Files.delete(complaints);
            if (!ended) {
                throw new AssertionError(words + " did not end within " + TIMEOUT_SECONDS + " s:\n" + run.output());
            }
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException("can not run " + words, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + words, e);
        }
    }

    /** All that it said, as a person at a terminal would see it. */
    public String output() {
        return printed + complaints;
    }

    /** What a command has printed that must succeed. */
    public String succeeded() {
        if (exitCode != 0) {
            throw new AssertionError(String.join(" ", words) + " ended with " + exitCode + ":\n" + output());
        }
        return printed;
    }
}
