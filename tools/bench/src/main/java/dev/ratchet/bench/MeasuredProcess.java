/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs what is measured in a process of its own, so that neither its libraries nor its garbage meet another's. It
 * prints its results as lines of fields between tabs that begin with {@value #RESULT}; what else it prints is kept for
 * the message of its failure.
 */
public final class MeasuredProcess {

    private static final String RESULT = "result";
    private static final int LINES_KEPT = 40;

    /** Where {@code run} has built the peers. */
    private static final String PEERS = "ratchet.bench.peers";

    private final List<String> command = new ArrayList<>();

    private MeasuredProcess(String classPath, List<String> options, String mainClass) {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
    }

    /** A class of this build. */
    public static MeasuredProcess ofOwn(Class<?> main, List<String> options) {
        return new MeasuredProcess(System.getProperty("java.class.path"), options, main.getName());
    }

    /**
     * A peer, with the options that it names itself beside those of all.
     *
     * @param name its folder
     */
    public static MeasuredProcess ofPeer(String name, String mainClass, List<String> options) throws IOException {
        Path target = Path.of(System.getProperty(PEERS, "peers"), name, "target");
        Path classes = target.resolve("classes");
        if (!Files.isDirectory(target.resolve("lib"))) {
            throw new IOException("The peer in " + target + " is not built; start with tools/bench/run, which does");
        }
        List<String> all = new ArrayList<>(options);
        all.add("@" + classes.resolve("java-options"));
        return new MeasuredProcess(classes + File.pathSeparator + target.resolve("lib") + "/*", all, mainClass);
    }

    /**
     * Runs to the end.
     *
     * @param results takes the fields of each line of results as it comes
     * @throws IOException where the process fails or does not end in time; with what it printed last
     */
    public void run(long timeoutSeconds, List<String> arguments, Consumer<List<String>> results)
            throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(arguments);
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        // A process that hangs closes its output only when it is ended.
        Thread guard = Thread.ofPlatform().daemon().start(() -> endAfter(process, timeoutSeconds));
        List<String> last = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(RESULT + "\t")) {
                    List<String> fields = List.of(line.split("\t", -1));
                    results.accept(fields.subList(1, fields.size()));
                } else {
                    last.add(line);
                    if (last.size() > LINES_KEPT) {
                        last.removeFirst();
                    }
                }
            }
        }
        int code = process.waitFor();
        guard.interrupt();
        if (code != 0) {
            throw new IOException("Exit code " + code + " (143 is the end after " + timeoutSeconds + " s) of "
                    + whole.getLast() + " in " + command.getLast() + ":\n" + String.join("\n", last));
        }
    }

    private static void endAfter(Process process, long timeoutSeconds) {
        try {
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
