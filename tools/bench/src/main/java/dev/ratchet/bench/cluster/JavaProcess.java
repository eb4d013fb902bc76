/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A main class of this class path in a process of its own. Its standard input is its leash: it is held open by this
 * process, and the child ends when that does. Safe for use by several threads.
 */
public final class JavaProcess {

    private static final long END_SECONDS = 60;

    private final Process process;

    private JavaProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a class that ends when its standard input does, and whose output is for {@link #output()}.
     *
     * @param options of the JVM
     * @param log where its errors go
     */
    public static JavaProcess talking(List<String> options, Path log, Class<?> main, String... arguments)
            throws IOException {
        return new JavaProcess(builder(options, log, main.getName(), arguments).start());
    }

    /**
     * Starts a class that knows nothing of a leash and reads no input.
     *
     * @param environment variables named RATCHET_…; it sees no others of that name
     * @param log where its output and its errors go
     */
    public static JavaProcess leashed(
            List<String> options, Map<String, String> environment, Path log, String main, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(main));
        all.addAll(List.of(arguments));
        ProcessBuilder builder = builder(options, log, Leash.class.getName(), all.toArray(String[]::new));
        builder.environment().putAll(environment);
        return new JavaProcess(builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    private static ProcessBuilder builder(List<String> options, Path log, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= 23) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("RATCHET_"));
        return builder;
    }

    public BufferedReader output() {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    /** Writes a line to its standard input, if it still reads. */
    public void tell(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException ended) {
            // Whoever waits for its end sees that.
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit code, once it has ended. */
    public OptionalInt exitCode() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** Processor time that it has taken so far; zero once it has ended. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /**
     * Bytes of its heap that are reachable: has it collect all its garbage.
     *
     * @throws IOException if the JVM does not say it
     */
    public long heapBytes() throws IOException {
        try (BufferedReader answer = ask("GC.class_histogram").inputReader(StandardCharsets.UTF_8)) {
            String last = answer.lines().reduce("", (before, line) -> line);
            String[] words = last.trim().split(" +", -1);
            if (words.length != 3 || !words[0].equals("Total")) {
                throw new IOException("jcmd " + process.pid() + " GC.class_histogram ended with: " + last);
            }
            return Long.parseLong(words[2]);
        }
    }

    /**
     * Has it write what all its threads do, virtual ones among them.
     *
     * @param file must not exist
     */
    public void dumpThreads(Path file) throws IOException {
        try (BufferedReader answer = ask("Thread.dump_to_file", file.toString()).inputReader(StandardCharsets.UTF_8)) {
            answer.lines().forEach(line -> {});
        }
    }

    private Process ask(String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(process.pid())));
        words.addAll(List.of(command));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    /** {@code kill -9}, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** {@code kill -STOP}. */
    public void pause() {
        signal("STOP");
    }

    /** {@code kill -CONT}. */
    public void resume() {
        signal("CONT");
    }

    /**
     * {@code kill -TERM}, which {@link Process#destroy} is not quite: that also lets go of the leash. Does not wait.
     */
    public void terminate() {
        signal("TERM");
    }

    /** Its exit code, after its end; that of a kill if it does not end in time. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
        return process.exitValue();
    }

    /** Lets go of the leash, and kills what has not ended in time. */
    public void end() {
        try {
            process.getOutputStream().close();
            if (process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException ended) {
            // It has ended by itself, or will be killed.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        kill();
    }

    private void signal(String name) {
        if (!process.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .inheritIO()
                    .start()
                    .onExit()
                    .join();
        } catch (IOException noShell) {
            throw new UncheckedIOException("Can not send signal " + name + " to " + process.pid(), noShell);
        }
    }
}
