/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns one running container or other child: a process group of its own below a small launcher (see {@code launch.sh}).
 * Invariant: the group never outlives this process, because the launcher kills it when its standard input ends, however
 * this process dies. Signals go through that same stream, so none can reach a process that has taken over the id.
 * Thread-safe.
 */
public final class ProcessGroup {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessGroup.class);
    private static final String LAUNCHER = readLauncher();

    private final Process launcher;
    private final CompletableFuture<Long> pid = new CompletableFuture<>();

    /** Reads what a process prints. */
    @FunctionalInterface
    public interface OutputReader {
        /** Reads to the end, on a thread of its own, as fast as the process is to run. */
        void copyFrom(InputStream output) throws IOException;
    }

    private ProcessGroup(Process launcher) {
        this.launcher = launcher;
    }

    /**
     * Starts {@code command} with exactly {@code variables} as its environment; output goes to {@code reader}.
     *
     * @throws IOException when it can not be started; a command that does not exist ends at once with exit code 127
     *     instead
     */
    public static ProcessGroup start(
            List<String> command,
            Map<String, String> variables,
            Path workingDirectory,
            OutputReader reader,
            ProcessRecord record,
            String what)
            throws IOException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", LAUNCHER, "ratchet-launch"));
        line.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(workingDirectory.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(variables);
        ProcessGroup process = new ProcessGroup(builder.start());
        Thread.ofPlatform().daemon().name("log-" + what).start(() -> process.copyOutput(reader, record, what));
        process.launcher.onExit().thenRun(() -> process.pid.thenAccept(record::remove));
        return process;
    }

    /** The exit code, 128 plus the signal's number for a process that a signal ended. */
    public CompletableFuture<Integer> exit() {
        return launcher.onExit().thenApply(Process::exitValue);
    }

    /** Sends a signal such as {@code TERM} to the whole group; does nothing when it has ended. */
    public void signal(String name) {
        try {
            launcher.getOutputStream().write((name + "\n").getBytes(StandardCharsets.US_ASCII));
            launcher.getOutputStream().flush();
        } catch (IOException e) {
            LOG.debug("a signal for a process that has ended: {}", name);
        }
    }

    private void copyOutput(OutputReader reader, ProcessRecord record, String what) {
        try (InputStream output = launcher.getInputStream()) {
            long number = Long.parseLong(readLine(output));
            record.write(number);
            pid.complete(number);
            reader.copyFrom(output);
        } catch (IOException | NumberFormatException e) {
            pid.completeExceptionally(e);
            LOG.warn("the log of a container ends early: container={} cause={}", what, e.toString());
        }
    }

    private static String readLine(InputStream input) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = input.read();
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            next = input.read();
        }
        return line.toString();
    }

    private static String readLauncher() {
        try (InputStream script = ProcessGroup.class.getResourceAsStream("launch.sh")) {
            if (script == null) {
                throw new IllegalStateException(
                        "launch.sh is missing from the class path of " + ProcessGroup.class.getName());
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("launch.sh can not be read", e);
        }
    }
}
