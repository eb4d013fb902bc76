/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How long a circuit puts nothing out when one of its processes is killed and started again at once. */
final class KillLines {

    private static final int LOADED_ROWS = 20_000;
    private static final long WAIT_SECONDS = 60;

    private KillLines() {}

    /** Kills each process but the first, which is asked, in turn. */
    static void kills(CircuitSubject subject) throws Exception {
        int rows = subject.quick() ? 500_000 : 5_000_000;
        int kills = subject.quick() ? 4 : 10;
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
    }

    private static void load(CircuitSubject subject, ViewChangeReader view, int rows) throws Exception {
        for (int from = 0; from < rows; from += LOADED_ROWS) {
            StringBuilder lines = new StringBuilder();
            for (int key = from; key < from + LOADED_ROWS; key++) {
                lines.append("{\"k\":").append(key).append(",\"v\":1}\n");
            }
            CompletableFuture<Long> seen = view.await("\"k\":" + from + ",");
            subject.push(0, "t", lines.toString().getBytes(StandardCharsets.UTF_8))
                    .get(WAIT_SECONDS, TimeUnit.SECONDS);
            seen.get(WAIT_SECONDS, TimeUnit.SECONDS);
        }
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
        Thread.sleep(2 * LatencyLines.PROGRAM.checkpointIntervalMillis());
        CompletableFuture<Long> seen = view.await("\"k\":" + key + ",");
        long began = System.nanoTime();
        subject.cluster().worker(worker).kill();
        subject.cluster().startWorker(worker);
        subject.push(0, "t", ("{\"k\":" + key + ",\"v\":1}\n").getBytes(StandardCharsets.UTF_8))
                .get(WAIT_SECONDS, TimeUnit.SECONDS);
        while (!subject.cluster().isReady(worker)) {
            Thread.sleep(5);
        }
        long ready = System.nanoTime();
        long told = seen.get(WAIT_SECONDS, TimeUnit.SECONDS);
        back.add(ready - began);
        output.add(told - ready);
        all.add(told - began);
    }

    private static void add(CircuitSubject subject, String what, int rows, Latencies times) {
        subject.report()
                .add(new Measurement(
                        "circuit, " + subject.cluster().size() + " processes",
                        what,
                        rows,
                        1,
                        0,
                        times.percentileNanos(0.5) / 1e3,
                        times.percentileNanos(1) / 1e3,
                        0,
                        0));
    }
}
