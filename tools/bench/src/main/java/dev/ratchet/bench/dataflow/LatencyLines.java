/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.client.CircuitProducer;
import dev.ratchet.client.InputRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long one row takes from its producer over gRPC to a subscription of a view, exactly once. */
final class LatencyLines {

    static final Cluster.CircuitProgram PROGRAM = new Cluster.CircuitProgram("latency", """
            CREATE TABLE t (k BIGINT NOT NULL, v BIGINT NOT NULL);
            CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;
            """, 2_000);

    /** So many times as long as it is measured: some thousand rows make the processes' code compiled code. */
    private static final int WARM_UP = 8;

    private static final long WAIT_SECONDS = 30;
    private static final int KEYS = 1_000;
    private static final int COMMIT_BYTES = 300;

    private record Row(long k, long v) {}

    private LatencyLines() {}

    /** The same with Flink, whose rows are visible behind a checkpoint. */
    static void ofFlink(Path parent, boolean quick, Report report) throws IOException, InterruptedException {
        FlinkPeer.measure(
                parent, "LatencyProcess", List.of(Long.toString(millis(quick)), Integer.toString(WARM_UP)), report);
    }

    private static long millis(boolean quick) {
        return quick ? 5_000 : 20_000;
    }

    static void latency(CircuitSubject subject) throws Exception {
        long millis = millis(subject.quick());
        try (JavaClient client = new JavaClient(subject.cluster(), 0, 1, "s")) {
            CircuitProducer producer = client.producer("bench");
            Latencies young = new Latencies();
            long youngBefore = subject.cpuNanos();
            rows(client, producer, millis, new Latencies(), young);
            double youngMicros = (subject.cpuNanos() - youngBefore) / 1e3 / young.count();
            rows(client, producer, WARM_UP * millis, new Latencies(), new Latencies());
            Latencies commits = new Latencies();
            long cpuBefore = subject.cpuNanos();
            Latencies accepted = new Latencies();
            Latencies told = new Latencies();
            rows(client, producer, millis, accepted, told);
            double cpuMicros = (subject.cpuNanos() - cpuBefore) / 1e3 / told.count();
            commits(subject, millis / 2, commits);
            add(subject, "one commit", millis / 2, commits, 0);
            add(subject, "told, young process", millis, young, youngMicros);
            add(subject, "a row is durable", millis, accepted, 0);
            add(subject, "a row is told", millis, told, cpuMicros);
        }
    }

    private static void add(CircuitSubject subject, String what, long millis, Latencies times, double cpuMicros) {
        subject.report()
                .add(new Measurement(
                        "circuit, " + subject.cluster().size() + " processes",
                        what,
                        1,
                        1,
                        times.count() * 1e3 / millis,
                        times.percentileNanos(0.5) / 1e3,
                        times.percentileNanos(0.99) / 1e3,
                        cpuMicros,
                        0));
    }

    private static void rows(
            JavaClient client, CircuitProducer producer, long millis, Latencies accepted, Latencies told)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (int number = 0; System.nanoTime() < end; number++) {
            long key = number % KEYS;
            var seen = client.await(key);
            long began = System.nanoTime();
            var pushed = producer.send(new InputRows().insert("t", new Row(key, 1)))
                    .thenRun(() -> accepted.add(System.nanoTime() - began));
            told.add(seen.get(WAIT_SECONDS, TimeUnit.SECONDS) - began);
            pushed.get(WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** One transaction of the same store, which a row that is durable needs at least. */
    private static void commits(CircuitSubject subject, long millis, Latencies times) {
        byte[] key = Tuple.from("bench", "commit").pack();
        byte[] value = new byte[COMMIT_BYTES];
        Database database = subject.cluster().database();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            database.run(transaction -> {
                transaction.set(key, value);
                return null;
            });
            times.add(System.nanoTime() - began);
        }
    }
}
