/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Directories;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code run store}: every workload by every number of clients on every kind of store. */
@Command(
        name = "store",
        description = "Transactions of the store: throughput and latency in process and over loopback.",
        mixinStandardHelpOptions = true)
public final class StoreBench implements Callable<Integer> {

    private static final int ROWS_PER_LOAD = 500;
    private static final int LOADS_AT_ONCE = 16;

    @Option(names = "--quick", description = "1 s for each line, and only the workloads that goals are set for")
    private boolean quick;

    @Option(names = "--millis", paramLabel = "N", description = "time of each line (default: 5000, quick 1000)")
    private long millis;

    @Option(names = "--on", split = ",", paramLabel = "KIND", description = "${COMPLETION-CANDIDATES} (default: all)")
    private Set<StoreTarget.Kind> kinds = EnumSet.allOf(StoreTarget.Kind.class);

    @Option(names = "--workload", split = ",", description = "${COMPLETION-CANDIDATES} (default: all)")
    private @Nullable Set<Workload> workloads;

    @Option(names = "--clients", split = ",", paramLabel = "N", description = "default: 1,16,64,256")
    private List<Integer> clients = List.of(1, 16, 64, 256);

    @Option(names = "--rows", paramLabel = "N", description = "keys of the database (default: ${DEFAULT-VALUE})")
    private long rows = 100_000;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description =
                    "milliseconds for the compiler on each store, a quarter of it each workload (${DEFAULT-VALUE})")
    private long warmUpMillis = 8_000;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "N",
            description = "sizes at which the update is measured besides --rows (default: 10000,10000000; quick none)")
    private @Nullable List<Long> sizes;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "where to write the result (default: ${DEFAULT-VALUE})")
    private Path json = Path.of("store.json");

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "where stores have their files (default: java.io.tmpdir)")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Override
    public Integer call() throws Exception {
        Report report = new Report(System.out);
        report.add(DiskSync.measure(parent, duration()));
        for (StoreTarget.Kind kind : kinds) {
            on(kind, rows, chosen(), report);
        }
        for (long keys : sizes != null ? sizes : quick ? List.<Long>of() : List.of(10_000L, 10_000_000L)) {
            for (StoreTarget.Kind kind : kinds) {
                on(kind, keys, EnumSet.of(Workload.UPDATE), report);
            }
        }
        report.write(json);
        return 0;
    }

    private long duration() {
        return millis > 0 ? millis : quick ? 1_000 : 5_000;
    }

    private Set<Workload> chosen() {
        if (workloads != null) {
            return workloads;
        }
        return quick ? EnumSet.of(Workload.READ, Workload.UPDATE, Workload.SET) : EnumSet.allOf(Workload.class);
    }

    private void on(StoreTarget.Kind kind, long keys, Set<Workload> what, Report report) throws Exception {
        Path directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        try (StoreTarget target = kind.open(directory)) {
            load(target.database(), keys);
            warmUp(target, Workload.UPDATE, keys, warmUpMillis);
            for (Workload workload : what) {
                warmUp(target, workload, keys, warmUpMillis / 4);
                for (int count : clients) {
                    ClosedLoop loop = new ClosedLoop(
                            count, target.executor(), target::cpuNanos, () -> workload.run(target.database(), keys));
                    report.add(Measurement.of(
                            kind.title, workload.title, keys, count, loop.run(duration() / 2, duration())));
                }
            }
            if (!quick && keys == rows && workloads == null) {
                report.add(WatchFanOut.measure(kind.title, target, 10_000, 10));
            }
        } finally {
            Directories.delete(directory);
        }
    }

    /** What comes first must not pay for the compiler. */
    private static void warmUp(StoreTarget target, Workload workload, long keys, long millis)
            throws InterruptedException {
        new ClosedLoop(64, target.executor(), target::cpuNanos, () -> workload.run(target.database(), keys))
                .run(millis, 1);
    }

    static void load(Database database, long keys) {
        List<CompletableFuture<?>> loads = new ArrayList<>();
        for (long from = 0; from < keys; from += ROWS_PER_LOAD) {
            long first = from;
            loads.add(database.runAsync(transaction -> {
                for (long i = first; i < Math.min(keys, first + ROWS_PER_LOAD); i++) {
                    transaction.set(Workload.key(i), Workload.randomValue());
                }
                return CompletableFuture.completedFuture(null);
            }));
            if (loads.size() == LOADS_AT_ONCE) {
                CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new)).join();
                loads.clear();
            }
        }
        CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new)).join();
    }
}
