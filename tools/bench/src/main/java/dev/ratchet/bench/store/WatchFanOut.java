/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Many watches of one key, and how long after a change of it each fires. */
final class WatchFanOut {

    private static final int WATCHES_PER_TRANSACTION = 500;

    private WatchFanOut() {}

    static Measurement measure(String where, StoreTarget target, int watches, int rounds) {
        Database database = target.database();
        Latencies latencies = new Latencies();
        long nanos = 0;
        long cpuNanos = 0;
        for (int round = 0; round <= rounds; round++) {
            Latencies into = round == 0 ? new Latencies() : latencies;
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            while (waiting.size() < watches) {
                List<CompletableFuture<Void>> some = database.run(transaction -> {
                    List<CompletableFuture<Void>> made = new ArrayList<>();
                    for (int i = 0; i < WATCHES_PER_TRANSACTION; i++) {
                        made.add(transaction.watch(Workload.key(0)));
                    }
                    return made;
                });
                waiting.addAll(some);
            }
            long cpuBefore = target.cpuNanos();
            long began = System.nanoTime();
            CompletableFuture<?>[] fired = waiting.stream()
                    .map(watch -> watch.thenRun(() -> into.add(System.nanoTime() - began)))
                    .toArray(CompletableFuture[]::new);
            database.run(transaction -> {
                transaction.set(Workload.key(0), Workload.randomValue());
                return null;
            });
            CompletableFuture.allOf(fired).join();
            nanos += round == 0 ? 0 : System.nanoTime() - began;
            cpuNanos += round == 0 ? 0 : target.cpuNanos() - cpuBefore;
        }
        ClosedLoop.Result result = new ClosedLoop.Result(
                latencies.count() / (nanos / 1e9), cpuNanos / 1e3 / latencies.count(), latencies, 0);
        return Measurement.of(where, "watches fired", watches, 1, result);
    }
}
