/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.start;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.bench.Directories;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.ServedStore;
import dev.ratchet.bench.start.Series.Start;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code run start}: a worker until it takes work, {@code ratchet status} and {@code ratchet circuit run} until they
 * end, each in a fresh process of a distribution's own launchers, one after the other. The store has a process of its
 * own; the worker has no other beside it, so it also becomes the coordinator; {@code status} asks one worker.
 */
@Command(
        name = "start",
        description = "How soon a worker, a command and SQL of a distribution are there.",
        mixinStandardHelpOptions = true)
public final class StartBench implements Callable<Integer> {

    private static final int LIMIT_SECONDS = 120;
    private static final long POLL_MILLIS = 5;
    private static final long OBJECT_BYTES = 64L << 20;
    private static final String MEMORY = "-Xmx384m -XX:MaxDirectMemorySize=128m";
    private static final Path TOP = Path.of(System.getProperty("ratchet.bench.top", "."));

    @Option(
            names = "--distribution",
            paramLabel = "DIR",
            description = "with bin and lib, such as opt/ratchet of a staged image (default: the local environment's)")
    private Path distribution = TOP.resolve("tools/local/target/ratchet");

    @Option(names = "--runs", paramLabel = "N", description = "of each figure (default: ${DEFAULT-VALUE})")
    private int runs = 10;

    @Option(
            names = "--java-options",
            paramLabel = "OPTIONS",
            description =
                    "measures also with these options of the JVM; may be repeated (default: the archive of classes of"
                            + " this JVM alone in place of the distribution's)")
    private List<String> javaOptions = List.of(
            "-XX:SharedArchiveFile=" + Path.of(System.getProperty("java.home"), "lib", "server", "classes.jsa"));

    @Option(names = "--dir", paramLabel = "DIR", description = "where processes have their files")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--json", paramLabel = "FILE", description = "where the figures are written too")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-start-");
        List<String> variants = new ArrayList<>(List.of(""));
        variants.addAll(javaOptions);
        ServedStore.Settings store = new ServedStore.Settings(List.of("-Xmx256m"), true, 0, 1);
        Cluster.Settings settings = new Cluster.Settings(1, 2, List.of(), OBJECT_BYTES, store, false);
        List<Series> all = new ArrayList<>();
        double load = load();
        System.out.printf(
                Locale.ROOT,
                "%s, %d processors, load %.1f%n%s%n",
                distribution,
                Runtime.getRuntime().availableProcessors(),
                load,
                Series.HEAD);
        try (Cluster cluster = new Cluster(directory, settings)) {
            measure(directory, cluster, variants, all);
        }
        System.out.printf(Locale.ROOT, "load at the end %.1f%n", load());
        if (json != null) {
            Files.writeString(
                    json,
                    JsonMapper.builder()
                                    .build()
                                    .writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(Map.of("loadBefore", load, "loadAfter", load(), "series", all))
                            + "\n");
        }
        Directories.delete(directory);
        return 0;
    }

    private void measure(Path directory, Cluster cluster, List<String> variants, List<Series> all)
            throws IOException, InterruptedException {
        worker(directory, cluster, "");
        for (String options : variants) {
            add(all, "worker takes work", options, () -> worker(directory, cluster, options));
        }
        Path connection = Files.writeString(directory.resolve("connection"), cluster.connection(0));
        Process asked = launch(directory, cluster, "");
        try {
            await(cluster, asked, directory);
            for (String options : variants) {
                List<String> status = List.of("status", "--connection", connection.toString());
                add(all, "ratchet status", options, () -> command(directory, options, status));
            }
        } finally {
            end(asked);
        }
        Path examples = TOP.resolve("examples/circuits");
        for (String options : variants) {
            List<String> run = List.of(
                    "circuit",
                    "run",
                    "--sql",
                    examples.resolve("orders.sql").toString(),
                    "--in",
                    examples.resolve("orders.jsonl").toString(),
                    "--out",
                    directory.resolve("changes").toString());
            add(all, "ratchet circuit run", options, () -> command(directory, options, run));
        }
    }

    /** One start that is measured. */
    private interface Measured {
        Start start() throws IOException, InterruptedException;
    }

    private void add(List<Series> all, String what, String options, Measured measured)
            throws IOException, InterruptedException {
        List<Start> starts = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            starts.add(measured.start());
        }
        Series series = new Series(what, options, starts);
        all.add(series);
        System.out.println(series.line());
    }

    private Start worker(Path directory, Cluster cluster, String options) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process worker = launch(directory, cluster, options);
        try {
            await(cluster, worker, directory);
            long elapsed = System.nanoTime() - began;
            return Start.of(elapsed, worker.info().totalCpuDuration().orElseThrow());
        } finally {
            end(worker);
        }
    }

    private Process launch(Path directory, Cluster cluster, String options) throws IOException {
        ProcessBuilder builder = builder(directory, List.of("bin/worker"), MEMORY + " " + options);
        builder.environment().putAll(cluster.variables(0));
        return builder.start();
    }

    private static void await(Cluster cluster, Process worker, Path directory)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(LIMIT_SECONDS).toNanos();
        while (!cluster.isReady(0)) {
            if (!worker.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("The worker is not ready after " + LIMIT_SECONDS
                        + " s, or has ended: see the log in " + directory);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static void end(Process worker) {
        worker.destroy();
        worker.onExit().join();
    }

    private Start command(Path directory, String options, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bin/ratchet"));
        command.addAll(arguments);
        Duration before = EndedChildren.processorTime();
        long began = System.nanoTime();
        Process process = builder(directory, command, options).start();
        if (process.waitFor() != 0) {
            throw new IOException("Exit code " + process.exitValue() + " of ratchet " + String.join(" ", arguments)
                    + ": see the log in " + directory);
        }
        return Start.of(System.nanoTime() - began, EndedChildren.processorTime().minus(before));
    }

    private ProcessBuilder builder(Path directory, List<String> command, String options) {
        List<String> whole = new ArrayList<>(command);
        whole.set(0, distribution.resolve(command.getFirst()).toString());
        ProcessBuilder builder = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("start.log").toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("RATCHET_"));
        builder.environment().put("RATCHET_JAVA_OPTIONS", options);
        return builder;
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
