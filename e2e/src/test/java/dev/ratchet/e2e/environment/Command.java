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

/** Runs one process to its end and keeps what it printed, as a person at a terminal would see it. */
public record Command(List<String> words, int exitCode, String output) {

    private static final long TIMEOUT_SECONDS = 300;

    /** Runs the words with the extra environment, standard error mixed into the output. */
    public static Command run(Map<String, String> environment, String input, List<String> words) {
        try {
            Path output = Files.createTempFile("ratchet-command", ".out");
            ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.redirectOutput(output.toFile()).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output);
            Files.delete(output);
            if (!ended) {
                throw new AssertionError(words + " did not end within " + TIMEOUT_SECONDS + " s:\n" + text);
            }
            return new Command(words, process.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException("can not run " + words, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + words, e);
        }
    }

    /** The output of a command that must succeed. */
    public String succeeded() {
        if (exitCode != 0) {
            throw new AssertionError(String.join(" ", words) + " ended with " + exitCode + ":\n" + output);
        }
        return output;
    }
}
