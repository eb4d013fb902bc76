/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.MeasuredProcess;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import java.io.IOException;
import java.util.List;

/** Other systems that run calls. What they do not promise is said where their figures are. */
enum Peer {
    /** IExecutorService of two members. */
    HAZELCAST("hazelcast", "HazelcastProcess"),
    /** DurableExecutorService of two members, each with a copy of everything in memory. */
    HAZELCAST_DURABLE("hazelcast", "HazelcastDurableProcess"),
    /** Compute of two servers. */
    IGNITE("ignite", "IgniteProcess"),
    /** Workflows of one activity on the test server, which keeps everything in memory; slow, so there are few. */
    TEMPORAL("temporal", "TemporalProcess"),
    /** What takes the place of sessions on the same test server: a task queue of each worker. */
    TEMPORAL_SESSIONS("temporal", "TemporalSessionsProcess");

    private static final int TEMPORAL_CALLS = 2_000;
    private static final int CALLS_MAX = 100_000;
    private static final long TIMEOUT_SECONDS = 1_800;
    private static final List<String> OPTIONS = List.of("-Xmx2g", "-XX:+UseParallelGC");

    private final String folder;
    private final String main;

    Peer(String folder, String main) {
        this.folder = folder;
        this.main = main;
    }

    void measure(Extent extent, Report report) throws IOException, InterruptedException {
        int together = this == TEMPORAL ? TEMPORAL_CALLS : Math.min(CALLS_MAX, extent.together());
        MeasuredProcess.ofPeer(folder, "dev.ratchet.bench.peers." + folder + "." + main, OPTIONS)
                .run(
                        TIMEOUT_SECONDS,
                        List.of(Long.toString(extent.millis()), Integer.toString(together)),
                        fields -> report.add(Measurement.ofText(String.join("\t", fields))));
    }
}
