/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long Flink puts nothing out when one of its three task managers is killed and started again at once. */
public final class KillProcess {

    private static final int PROCESSES = 3;
    private static final int BUFFER_MILLIS = 10;
    private static final int LOADED_ROWS = 100_000;
    private static final long WAIT_SECONDS = 300;
    private static final int SETTLE_MILLIS = 4_000;
    private static final int HEAP_MEGABYTES = 768;

    /** The key that is waited for, and when it was visible. */
    private record Wanted(long key, CompletableFuture<Long> visible) {}

    private volatile @Nullable Wanted wanted;
    private final RowServer rows;

    private KillProcess(int textBytes) throws IOException {
        rows = new RowServer(textBytes, Long.MAX_VALUE, this::committed);
    }

    /** Arguments: directory for files, hashmap or rocksdb, rows, bytes of each one's text, how many kills. */
    public static void main(String[] arguments) throws Exception {
        String backend = arguments[1];
        int count = Integer.parseInt(arguments[2]);
        int textBytes = Integer.parseInt(arguments[3]);
        int kills = Integer.parseInt(arguments[4]);
        int perProcess = (int) ((long) count * textBytes / PROCESSES >> 20);
        boolean isOnDisk = backend.equals("rocksdb");
        KillProcess self = new KillProcess(textBytes);
        Latencies back = new Latencies();
        Latencies output = new Latencies();
        Latencies all = new Latencies();
        try (FlinkCluster cluster = new FlinkCluster(
                Path.of(arguments[0]),
                PROCESSES,
                isOnDisk ? HEAP_MEGABYTES : HEAP_MEGABYTES + 3 * perProcess,
                isOnDisk ? HEAP_MEGABYTES : 0,
                backend)) {
            String job = TotalsJob.submit(cluster, self.rows, PROCESSES, BUFFER_MILLIS);
            for (int end = LOADED_ROWS; end <= count; end += LOADED_ROWS) {
                self.append(end).get(WAIT_SECONDS, TimeUnit.SECONDS);
            }
            for (int kill = 0; kill < kills; kill++) {
                // A checkpoint behind the last rows, as there mostly is one.
                Thread.sleep(SETTLE_MILLIS);
                int number = kill % PROCESSES;
                String former = cluster.addresses().getOrDefault("tm-" + number, "");
                long began = System.nanoTime();
                cluster.restart(number);
                CompletableFuture<Long> visible = self.append(count + kill + 1);
                cluster.awaitBack(number, former);
                long ready = System.nanoTime();
                long told = visible.get(WAIT_SECONDS, TimeUnit.SECONDS);
                back.add(ready - began);
                output.add(told - ready);
                all.add(told - began);
            }
            add(backend, "process is back", count, back, 0);
            add(backend, "output after that", count, output, 0);
            add(backend, "output after kill -9", count, all, 0);
            add(backend, "bytes of state", cluster.stateBytes(job), new Latencies(), 0);
        }
        System.exit(0);
    }

    private static void add(String backend, String what, long size, Latencies times, long failed) {
        System.out.println("result\t"
                + new Measurement(
                                "flink, " + backend,
                                what,
                                size,
                                1,
                                0,
                                times.percentileNanos(0.5) / 1e3,
                                times.percentileNanos(1) / 1e3,
                                0,
                                failed)
                        .toText());
    }

    private void committed(long key) {
        Wanted now = wanted;
        if (now != null && now.key() == key) {
            now.visible().complete(System.nanoTime());
        }
    }

    /** Adds rows to the log; completes when the last of them is visible. */
    private CompletableFuture<Long> append(long end) {
        CompletableFuture<Long> visible = new CompletableFuture<>();
        wanted = new Wanted(end - 1, visible);
        rows.appendUpTo(end);
        return visible;
    }
}
