/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.MeasuredProcess;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.bench.nexmark.ChangeFile;
import dev.ratchet.bench.nexmark.NexmarkChanges;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code run circuits}: Nexmark on circuits and on peers, all from the same file of changes, and what state costs. */
@Command(
        name = "circuits",
        description =
                "Nexmark q0 to q22 on circuits and on other engines; one-row updates, memory and loading of state.",
        mixinStandardHelpOptions = true)
public final class CircuitsBench implements Callable<Integer> {

    private static final long TIMEOUT_SECONDS = 3_600;

    /** Ten million events of whole rows need more than what engines are given beside each other. */
    private static final List<String> STATE_JAVA_OPTIONS = List.of("-Xmx10g", "-XX:+UseParallelGC");

    /** State is measured with what joins, aggregates, joins both with a top-1, and keeps whole rows. */
    private static final List<String> STATE_QUERIES = List.of("q3", "q4", "q9", "q18");

    @Option(names = "--quick", description = "500,000 changes, one thread, state of a million events")
    private boolean quick;

    @Option(names = "--changes", paramLabel = "N", description = "changes of each run (default: 2000000)")
    private int changes;

    @Option(names = "--query", split = ",", paramLabel = "Q", description = "default: q0 to q22")
    private @Nullable List<String> queries;

    @Option(names = "--on", split = ",", paramLabel = "ENGINE", description = "${COMPLETION-CANDIDATES} (default: all)")
    private Set<NexmarkSubject> subjects = EnumSet.allOf(NexmarkSubject.class);

    @Option(names = "--no-peers", description = "Ratchet alone")
    private boolean alone;

    @Option(names = "--threads", split = ",", paramLabel = "N", description = "default: 1,2; quick 1")
    private @Nullable List<Integer> threads;

    @Option(
            names = "--retractions",
            split = ",",
            paramLabel = "N",
            description = "how many of a hundred changes take a row back (default: 0,10)")
    private List<Integer> retractions = List.of(0, 10);

    @Option(
            names = "--state",
            split = ",",
            paramLabel = "N",
            description = "events of state for one-row updates, 0 for none (default: 100000,10000000; quick 1000000)")
    private @Nullable List<Integer> states;

    @Option(
            names = "--database",
            paramLabel = "MB",
            description = "size of a state database to fill, open and change, 0 for none (default: 4096; quick 256)")
    private @Nullable Integer databaseMegabytes;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "where the state database is made (default: a temporary directory)")
    private @Nullable Path directory;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "where to write the result (default: ${DEFAULT-VALUE})")
    private Path json = Path.of("circuits.json");

    @Override
    public Integer call() throws Exception {
        Report report = new Report(System.out);
        NexmarkComparison comparison = new NexmarkComparison();
        int count = changes > 0 ? changes : quick ? 500_000 : 2_000_000;
        for (int share : retractions) {
            Path file = Files.createTempFile("ratchet-bench-", ".changes");
            try {
                ChangeFile.write(file, new NexmarkChanges(0, share), count);
                for (int parallel : threads != null ? threads : quick ? List.of(1) : List.of(1, 2)) {
                    for (NexmarkSubject subject : alone ? EnumSet.of(NexmarkSubject.RATCHET) : subjects) {
                        measure(subject, file, count, share, parallel, report, comparison);
                    }
                }
            } finally {
                Files.delete(file);
            }
        }
        comparison.lines().forEach(report::note);
        for (int events : states != null ? states : quick ? List.of(1_000_000) : List.of(100_000, 10_000_000)) {
            if (events > 0) {
                state(events, report);
            }
        }
        compile(report);
        int megabytes = databaseMegabytes != null ? databaseMegabytes : quick ? 256 : 4096;
        if (megabytes > 0) {
            database(megabytes, report);
        }
        report.write(json);
        return 0;
    }

    private List<String> names() {
        return queries != null
                ? queries.stream().map(name -> NexmarkQuery.named(name).name()).toList()
                : NexmarkQuery.all().stream().map(NexmarkQuery::name).toList();
    }

    private void measure(
            NexmarkSubject subject,
            Path file,
            int count,
            int share,
            int parallel,
            Report report,
            NexmarkComparison comparison)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(subject.arguments());
        arguments.addAll(List.of(
                file.toString(),
                Integer.toString(count),
                Boolean.toString(share > 0),
                Integer.toString(count / 2),
                Integer.toString(parallel)));
        arguments.addAll(names());
        subject.process().run(TIMEOUT_SECONDS, arguments, fields -> {
            NexmarkResult result = NexmarkResult.of(subject, share, parallel, fields);
            comparison.add(result);
            String name = result.query();
            String what = share == 0 ? name : String.format(Locale.ROOT, "%s, %d %% back", name, share);
            if (result.reason().isEmpty()) {
                report.add(result.measurement(what, count));
            } else {
                report.note(subject.title() + " does not answer " + what + ": " + result.reason());
            }
        });
    }

    private static void state(int events, Report report) throws IOException, InterruptedException {
        for (String name : STATE_QUERIES) {
            MeasuredProcess process = MeasuredProcess.ofOwn(StateProcess.class, STATE_JAVA_OPTIONS);
            process.run(TIMEOUT_SECONDS, List.of(Integer.toString(events), name), fields -> {
                double loaded = Double.parseDouble(fields.get(2));
                long rows = Long.parseLong(fields.get(3));
                double heapPerRow = Double.parseDouble(fields.get(4)) / rows;
                double bytesPerRow = Double.parseDouble(fields.get(5)) / rows;
                report.add(new Measurement("ratchet", name + " loaded", events, 1, loaded, 0, 0, 0, 0));
                report.add(new Measurement(
                        "ratchet",
                        name + " one row",
                        events,
                        1,
                        0,
                        Double.parseDouble(fields.get(6)),
                        Double.parseDouble(fields.get(7)),
                        0,
                        0));
                report.note(String.format(
                        Locale.ROOT,
                        "%s after %,d events: %,d rows of state, %.1f bytes of batches and %.1f of heap for each",
                        name,
                        events,
                        rows,
                        bytesPerRow,
                        heapPerRow));
            });
        }
    }

    private void compile(Report report) throws IOException, InterruptedException {
        List<Double> warm = new ArrayList<>();
        MeasuredProcess process = MeasuredProcess.ofOwn(CompileProcess.class, NexmarkSubject.JAVA_OPTIONS);
        process.run(TIMEOUT_SECONDS, names(), fields -> {
            report.note("from text to running, " + fields.get(0) + ": " + fields.get(1) + " ms");
            if (fields.get(0).endsWith("warm")) {
                warm.add(Double.parseDouble(fields.get(1)));
            }
        });
        warm.sort(Comparator.naturalOrder());
        report.note("from text to running, warm: median " + warm.get(warm.size() / 2) + " ms, longest " + warm.getLast()
                + " ms");
    }

    private void database(int megabytes, Report report) throws IOException, InterruptedException {
        Path parent = directory;
        Path made = parent == null
                ? Files.createTempDirectory("ratchet-bench-")
                : Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        try {
            MeasuredProcess process = MeasuredProcess.ofOwn(DatabaseProcess.class, NexmarkSubject.JAVA_OPTIONS);
            process.run(
                    TIMEOUT_SECONDS,
                    List.of(made.toString(), Integer.toString(megabytes)),
                    fields -> report.note("state database, " + String.join(" ", fields)));
        } finally {
            Directories.delete(made);
        }
    }
}
