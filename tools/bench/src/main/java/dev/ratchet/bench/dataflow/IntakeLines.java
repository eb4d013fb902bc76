/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.client.CircuitProducer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** How many rows a second go from a producer through the log and the steps to a reader who gets each of them. */
final class IntakeLines {

    static final Cluster.CircuitProgram PROGRAM = new Cluster.CircuitProgram("intake", """
            CREATE TABLE t (k BIGINT NOT NULL, v BIGINT NOT NULL);
            CREATE VIEW s AS SELECT k, v FROM t WHERE v > 0;
            """, 2_000);

    private static final int REQUEST_ROWS = 10_000;
    private static final int UNDER_WAY = 4;
    private static final int ROWS = 1_000_000;
    private static final long WAIT_SECONDS = 60;

    private IntakeLines() {}

    /** With requests of many rows, some of them under way at a time, to the worker that the reader reads at. */
    static void rows(CircuitSubject subject) throws Exception {
        int rows = subject.quick() ? ROWS : 5 * ROWS;
        try (ViewChangeReader view = subject.follow(0, "s")) {
            run(subject, view, 0, rows);
            long cpuBefore = subject.cpuNanos();
            long began = System.nanoTime();
            run(subject, view, rows, rows);
            double seconds = (System.nanoTime() - began) / 1e9;
            subject.report()
                    .add(new Measurement(
                            "circuit, " + subject.cluster().size() + " processes",
                            "JSON in and out",
                            REQUEST_ROWS,
                            UNDER_WAY,
                            rows / seconds,
                            0,
                            0,
                            (subject.cpuNanos() - cpuBefore) / 1e3 / rows,
                            0));
        }
    }

    /** As {@link #rows}, by a Java program with several producers and a subscription; its processor time counts too. */
    static void rowsOfJava(CircuitSubject subject) throws Exception {
        int rows = subject.quick() ? ROWS : 5 * ROWS;
        try (JavaClient client = new JavaClient(subject.cluster(), 0, 0, "s")) {
            List<CircuitProducer> producers = IntStream.range(0, UNDER_WAY)
                    .mapToObj(number -> client.producer("java-" + number))
                    .toList();
            send(client, producers, rows);
            long cpuBefore = subject.cpuNanos() + MeetingProcess.cpuNanos();
            long began = System.nanoTime();
            send(client, producers, rows);
            double seconds = (System.nanoTime() - began) / 1e9;
            subject.report()
                    .add(new Measurement(
                            "circuit, " + subject.cluster().size() + " processes",
                            "Java in and out",
                            REQUEST_ROWS,
                            UNDER_WAY,
                            rows / seconds,
                            0,
                            0,
                            (subject.cpuNanos() + MeetingProcess.cpuNanos() - cpuBefore) / 1e3 / rows,
                            0));
        }
    }

    /** Each producer sends its part; waits until all are heard. */
    private static void send(JavaClient client, List<CircuitProducer> producers, int rows) throws Exception {
        long until = client.added() + rows;
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(producers.size())) {
            List<Future<?>> ends = new ArrayList<>();
            for (CircuitProducer producer : producers) {
                ends.add(threads.submit(() -> {
                    for (int from = next.getAndAdd(REQUEST_ROWS); from < rows; from = next.getAndAdd(REQUEST_ROWS)) {
                        List<Row> request = new ArrayList<>();
                        for (int key = from; key < from + REQUEST_ROWS; key++) {
                            request.add(new Row(key, 1));
                        }
                        producer.send("t", request).get(WAIT_SECONDS, TimeUnit.SECONDS);
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        client.awaitAdded(until).get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private record Row(long k, long v) {}

    private static void run(CircuitSubject subject, ViewChangeReader view, int first, int rows) throws Exception {
        List<byte[]> requests = new ArrayList<>();
        for (int from = first; from < first + rows; from += REQUEST_ROWS) {
            StringBuilder lines = new StringBuilder();
            for (int key = from; key < from + REQUEST_ROWS; key++) {
                lines.append("{\"k\":").append(key).append(",\"v\":1}\n");
            }
            requests.add(lines.toString().getBytes(StandardCharsets.UTF_8));
        }
        CompletableFuture<Long> seen = view.await("\"k\":" + (first + rows - 1) + ",");
        Queue<CompletableFuture<Void>> underWay = new ArrayDeque<>();
        byte[] last = requests.removeLast();
        for (byte[] request : requests) {
            if (underWay.size() == UNDER_WAY) {
                underWay.remove().get(WAIT_SECONDS, TimeUnit.SECONDS);
            }
            underWay.add(subject.pushUnnumbered(0, "t", request));
        }
        for (CompletableFuture<Void> one : underWay) {
            one.get(WAIT_SECONDS, TimeUnit.SECONDS);
        }
        // What is under way at a time may be logged in any order; this comes behind all of it.
        subject.pushUnnumbered(0, "t", last).get(WAIT_SECONDS, TimeUnit.SECONDS);
        seen.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
}
