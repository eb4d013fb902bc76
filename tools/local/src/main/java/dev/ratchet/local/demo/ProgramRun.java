/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.local.environment.EnvironmentException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the program through the command line and what happens at its pauses. It relays what the program prints; its
 * errors go to the terminal as they are. When a step fails the program is ended.
 */
final class ProgramRun {

    private static final String PAUSED = "paused at ";

    private final List<String> command;
    private final Deque<Mark> marks;
    private final Consumer<String> say;

    ProgramRun(List<String> command, List<Mark> marks, Consumer<String> say) {
        this.command = command;
        this.marks = new ArrayDeque<>(marks);
        this.say = say;
    }

    /** The exit code of the program. */
    int run() throws EnvironmentException, IOException, InterruptedException {
        Process program = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = program.inputReader(StandardCharsets.UTF_8);
                OutputStream input = program.getOutputStream()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(PAUSED) && !marks.isEmpty()) {
                    Mark mark = marks.remove();
                    mark.before().run();
                    input.write('\n');
                    input.flush();
                    mark.after().run();
                } else {
                    say.accept(line);
                }
            }
            return program.waitFor();
        } finally {
            program.destroy();
        }
    }
}
