/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.bench.cluster.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How long a circuit puts nothing out when one of its processes is killed and started again at once. */
final class KillLines {

    static final Cluster.CircuitProgram PROGRAM = new Cluster.CircuitProgram("kill", """
            CREATE TABLE t (k BIGINT NOT NULL, v BIGINT NOT NULL, x VARCHAR NOT NULL) WITH ('append_only' = 'true');
            CREATE VIEW s AS SELECT k, SUM(v) AS total, CHAR_LENGTH(MAX(x)) AS width FROM t GROUP BY k;
            """, 2_000);

    private static final int TEXT_BYTES = 1_000;
    private static final int LOADED_ROWS = 2_000;
    private static final int AHEAD_ROWS = 20_000;
    private static final long WAIT_SECONDS = 60;

    private KillLines() {}

    /** The same rows and kills with Flink, whose state is in RocksDB. */
    static void ofFlink(Path parent, boolean quick, Report report) throws IOException, InterruptedException {
        FlinkPeer.measure(
                parent,
                "KillProcess",
                List.of(
                        "rocksdb",
                        Integer.toString(rows(quick)),
                        Integer.toString(TEXT_BYTES),
                        Integer.toString(kills(quick))),
                report);
    }

    private static int rows(boolean quick) {
        return quick ? 300_000 : 3_000_000;
    }

    private static int kills(boolean quick) {
        return quick ? 4 : 10;
    }

    /** Kills each process but the first, which is asked, in turn. */
    static void kills(CircuitSubject subject) throws Exception {
        int rows = rows(subject.quick());
        int kills = kills(subject.quick());
        Latencies back = new Latencies();
        Latencies output = new Latencies();
        Latencies all = new Latencies();
        try (ViewChangeReader view = subject.follow(0, "s")) {
            load(subject, view, rows);
            for (int kill = 0; kill < kills; kill++) {
                kill(subject, view, 1 + kill % (subject.cluster().size() - 1), rows + kill, back, output, all);
            }
        }
        add(subject, "process is back", rows, back);
        add(subject, "output after that", rows, output);
        add(subject, "output after kill -9", rows, all);
        add(subject, "bytes of files", subject.fileBytes(), new Latencies());
    }

    private static void load(CircuitSubject subject, ViewChangeReader view, int rows) throws Exception {
        for (int from = 0; from < rows; from += AHEAD_ROWS) {
            // What is ahead of the steps has a limit.
            CompletableFuture<Long> seen = view.await("\"k\":" + (from + AHEAD_ROWS - 1) + ",");
            for (int first = from; first < from + AHEAD_ROWS; first += LOADED_ROWS) {
                StringBuilder lines = new StringBuilder();
                for (int key = first; key < first + LOADED_ROWS; key++) {
                    lines.append(line(key));
                }
                push(subject, lines.toString()).get(WAIT_SECONDS, TimeUnit.SECONDS);
            }
            seen.get(WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static String line(int key) {
        return "{\"k\":" + key + ",\"v\":1,\"x\":\"" + PaddedRows.text(key, TEXT_BYTES) + "\"}\n";
    }

    private static CompletableFuture<Void> push(CircuitSubject subject, String lines) {
        return subject.push(0, "t", lines.getBytes(StandardCharsets.UTF_8));
    }

    private static void kill(
            CircuitSubject subject,
            ViewChangeReader view,
            int worker,
            int key,
            Latencies back,
            Latencies output,
            Latencies all)
            throws Exception {
        // A version behind the last rows, as there mostly is one.
        Thread.sleep(2 * PROGRAM.checkpointIntervalMillis());
        CompletableFuture<Long> seen = view.await("\"k\":" + key + ",");
        long began = System.nanoTime();
        subject.cluster().worker(worker).kill();
        subject.cluster().startWorker(worker);
        push(subject, line(key)).get(WAIT_SECONDS, TimeUnit.SECONDS);
        while (!subject.cluster().isReady(worker)) {
            Thread.sleep(5);
        }
        long ready = System.nanoTime();
        long told = seen.get(WAIT_SECONDS, TimeUnit.SECONDS);
        back.add(ready - began);
        output.add(told - ready);
        all.add(told - began);
    }

    private static void add(CircuitSubject subject, String what, long size, Latencies times) {
        subject.report()
                .add(new Measurement(
                        "circuit, " + subject.cluster().size() + " processes",
                        what,
                        size,
                        1,
                        0,
                        times.percentileNanos(0.5) / 1e3,
                        times.percentileNanos(1) / 1e3,
                        0,
                        0));
    }
}
