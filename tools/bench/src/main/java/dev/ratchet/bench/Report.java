/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run of benchmarks has found: printed line by line as it comes, and written to a file at the end, with what
 * must be known of the machine to compare it.
 */
public final class Report {

    private static final String LINE = "%-22s %-18s %10s %7s %12s %10s %10s %8s %7s%n";

    private final PrintStream out;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Instant began = Instant.now();
    private final double loadBefore = load();

    /** A report without lines. */
    public Report(PrintStream out) {
        this.out = out;
        out.printf(
                Locale.ROOT,
                "%d processors, load %.1f, Java %s%n",
                Runtime.getRuntime().availableProcessors(),
                loadBefore,
                Runtime.version());
        out.printf(
                Locale.ROOT,
                LINE,
                "where",
                "what",
                "size",
                "clients",
                "per second",
                "p50 µs",
                "p99 µs",
                "cpu µs",
                "failed");
    }

    /** The load average of the last minute, negative where the system does not tell. */
    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Prints and keeps one line. */
    public void add(Measurement line) {
        measurements.add(line);
        out.printf(
                Locale.ROOT,
                LINE,
                line.where(),
                line.what(),
                line.size(),
                line.clients(),
                "%,.0f".formatted(line.perSecond()),
                "%,.1f".formatted(line.p50Micros()),
                "%,.1f".formatted(line.p99Micros()),
                "%,.1f".formatted(line.cpuMicros()),
                line.failed());
        out.flush();
    }

    /** Prints and keeps what is no line of figures. */
    public void note(String text) {
        notes.add(text);
        out.println(text);
        out.flush();
    }

    /** Writes all lines as one JSON document. */
    public void write(Path file) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("began", began.toString());
        document.put("ended", Instant.now().toString());
        document.put("processors", Runtime.getRuntime().availableProcessors());
        document.put("loadBefore", loadBefore);
        document.put("loadAfter", load());
        document.put("java", Runtime.version().toString());
        document.put("measurements", measurements);
        document.put("notes", notes);
        Files.writeString(
                file,
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n");
        out.println("written to " + file);
    }
}
