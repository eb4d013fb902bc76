/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How long a row takes until it is visible behind the commit of its checkpoint. Rows come at a steady rate, as rows
 * that wait for one another would all come right behind a checkpoint and wait for the whole interval.
 */
public final class LatencyProcess {

    private static final int KEYS = 1_000;
    private static final int GAP_MILLIS = 10;
    private static final int PROCESSES = 2;
    private static final int HEAP_MEGABYTES = 512;
    private static final int MANAGED_MEGABYTES = 128;
    private static final long WAIT_SECONDS = 60;

    /** A row that was sent and is not visible yet. */
    private record Sent(long nanos, CompletableFuture<Long> visible) {}

    private final AtomicReferenceArray<@Nullable Sent> underWay = new AtomicReferenceArray<>(KEYS);
    private final RowServer rows;
    private long number;

    private LatencyProcess() throws IOException {
        rows = new RowServer(0, KEYS, this::committed);
    }

    /** Arguments: directory for files, milliseconds of each measurement, how many times as long goes before it. */
    public static void main(String[] arguments) throws Exception {
        long millis = Long.parseLong(arguments[1]);
        int warmUp = Integer.parseInt(arguments[2]);
        LatencyProcess self = new LatencyProcess();
        try (FlinkCluster cluster =
                new FlinkCluster(Path.of(arguments[0]), PROCESSES, HEAP_MEGABYTES, MANAGED_MEGABYTES, "hashmap")) {
            TotalsJob.submit(cluster, self.rows, PROCESSES, 0);
            self.send(millis);
            self.send(warmUp * millis);
            long cpuBefore = cluster.cpuNanos();
            Latencies times = self.send(millis);
            System.out.println("result\t"
                    + new Measurement(
                                    "flink, 2 processes",
                                    "a row is told",
                                    1,
                                    1,
                                    times.count() * 1e3 / millis,
                                    times.percentileNanos(0.5) / 1e3,
                                    times.percentileNanos(0.99) / 1e3,
                                    (cluster.cpuNanos() - cpuBefore) / 1e3 / times.count(),
                                    0)
                            .toText());
        }
        System.exit(0);
    }

    private void committed(long key) {
        Sent sent = underWay.getAndSet((int) key, null);
        if (sent != null) {
            sent.visible().complete(System.nanoTime());
        }
    }

    private Latencies send(long millis) throws Exception {
        Latencies times = new Latencies();
        CompletableFuture<?> all = CompletableFuture.completedFuture(null);
        long began = System.nanoTime();
        for (long sent = 0; sent < millis / GAP_MILLIS; sent++) {
            long due = began + TimeUnit.MILLISECONDS.toNanos(sent * GAP_MILLIS);
            while (System.nanoTime() < due) {
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            }
            Sent former = underWay.get((int) (number % KEYS));
            if (former != null) {
                // Its key is needed again.
                former.visible().get(WAIT_SECONDS, TimeUnit.SECONDS);
            }
            Sent row = new Sent(System.nanoTime(), new CompletableFuture<>());
            underWay.set((int) (number % KEYS), row);
            all = CompletableFuture.allOf(
                    all, row.visible().thenAccept(visible -> times.add(visible - row.nanos())));
            rows.appendUpTo(++number);
        }
        all.get(WAIT_SECONDS, TimeUnit.SECONDS);
        return times;
    }
}
