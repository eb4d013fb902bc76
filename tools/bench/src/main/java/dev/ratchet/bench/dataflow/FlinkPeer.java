/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.MeasuredProcess;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Flink with the same rows, in processes of its own. */
final class FlinkPeer {

    private static final String PACKAGE = "dev.ratchet.bench.peers.flink.rows.";
    private static final long TIMEOUT_SECONDS = 1_800;

    private FlinkPeer() {}

    /** Runs a main class of the peer, with a heap like that of this process, and adds the lines that it prints. */
    static void measure(String main, List<String> arguments, Report report) throws IOException, InterruptedException {
        MeasuredProcess.ofPeer("flink", PACKAGE + main, List.of("-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"))
                .run(TIMEOUT_SECONDS, arguments, fields -> report.add(Measurement.ofText(String.join("\t", fields))));
    }

    /** As the other one, where the first argument is a directory for files. */
    static void measure(Path parent, String main, List<String> arguments, Report report)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        try {
            List<String> all = new ArrayList<>(List.of(directory.toString()));
            all.addAll(arguments);
            measure(main, all, report);
        } finally {
            Directories.delete(directory);
        }
    }
}
