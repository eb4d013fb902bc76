/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.bench.nexmark.ChangeFile;
import dev.ratchet.bench.nexmark.NexmarkChanges;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Nexmark on several processes of one thread each, beside one process of as many threads. */
final class NexmarkProcessLines {

    private static final List<String> OPTIONS = List.of("-Xmx1536m", "-XX:+UseParallelGC");
    private static final List<String> QUICK = List.of("q1", "q3", "q4", "q8", "q17", "q20");
    private static final int WARM_UP_RUNS = 3;

    private NexmarkProcessLines() {}

    /** An operation is a change; processor time is that of all processes. */
    static void queries(Path parent, boolean quick, Report report) throws IOException {
        int count = quick ? 300_000 : 2_000_000;
        List<String> queries = quick
                ? QUICK
                : NexmarkQuery.all().stream().map(NexmarkQuery::name).toList();
        Path changes = Files.createTempFile(Files.createDirectories(parent), "ratchet-bench-", ".changes");
        try {
            ChangeFile.write(changes, new NexmarkChanges(0, 0), count);
            for (int parallel : List.of(1, 2, 4)) {
                measure(parent, changes, count, 1, parallel, queries, report);
                if (parallel > 1) {
                    measure(parent, changes, count, parallel, 1, queries, report);
                }
            }
        } finally {
            Files.delete(changes);
        }
    }

    private static void measure(
            Path parent, Path changes, int count, int processes, int threads, List<String> queries, Report report)
            throws IOException {
        try (JoinedProcesses joined = new JoinedProcesses(
                parent, NexmarkProcess.class, processes, OPTIONS, changes.toString(), Integer.toString(threads))) {
            for (String query : queries) {
                List<long[]> all = List.of();
                for (int run = 0; run <= WARM_UP_RUNS; run++) {
                    joined.tell(query);
                    all = joined.answers();
                }
                long nanos = all.stream().mapToLong(one -> one[0]).max().orElseThrow();
                double cpuMicros = all.stream().mapToLong(one -> one[1]).sum() / 1e3 / count;
                long rows = all.stream().mapToLong(one -> one[2]).sum();
                report.add(new Measurement(
                        processes + " processes of " + threads,
                        query,
                        rows,
                        processes * threads,
                        count * 1e9 / nanos,
                        0,
                        0,
                        cpuMicros,
                        0));
            }
        }
    }
}
