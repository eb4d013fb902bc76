/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Directories;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.bench.calls.RemoteCalls;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.ServedStore;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.membership.record.StoredMembers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A cluster that is measured, and the client that does it, which is this process. */
final class Subject implements RemoteCalls {

    private static final SubmitOptions SHORT = SubmitOptions.ofJob("calls").withShortTask();
    /** What takes longer is broken, not slow. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    private static final int KEYS_AT_ONCE = 10_000;

    private final String title;
    private final Shape shape;
    private final Path directory;
    private final Report report;
    private final Extent extent;
    private final Cluster cluster;
    private final Ratchet ratchet;

    /**
     * Starts the processes.
     *
     * @param syncs whether the store syncs
     */
    Subject(Path parent, Shape shape, boolean syncs, Extent extent, Report report)
            throws IOException, InterruptedException {
        int workers = shape.workers();
        this.shape = shape;
        this.title = "Ratchet, " + workers + (workers == 1 ? " worker" : " workers") + (syncs ? "" : ", no fsync");
        this.report = report;
        this.extent = extent;
        directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments();
        cluster = new Cluster(
                directory,
                new Cluster.Settings(
                        workers,
                        shape.threads(),
                        workerOptions(own, shape.heapMegabytes()),
                        (long) shape.objectMegabytes() << 20,
                        new ServedStore.Settings(own, syncs, 0, 0),
                        false));
        cluster.startWorkers();
        ratchet = connect();
    }

    private static List<String> workerOptions(List<String> own, int heapMegabytes) {
        List<String> options = new ArrayList<>(own);
        if (heapMegabytes > 0) {
            options.addAll(List.of("-Xms" + heapMegabytes + "m", "-Xmx" + heapMegabytes + "m"));
        }
        return options;
    }

    /** Another program. */
    Ratchet connect() {
        return Ratchet.connect(ConnectionOptions.ofDocument(cluster.connection(0)));
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public CompletableFuture<Integer> call(int number) {
        return call(ratchet, number);
    }

    /** A call by one of several programs. */
    static CompletableFuture<Integer> call(Ratchet program, int number) {
        return program.submit(SHORT, BenchTasks.returning(number)).toCompletableFuture();
    }

    @Override
    public int callAndWait(int number) throws InterruptedException {
        return ratchet.submit(SHORT, BenchTasks.returning(number)).get();
    }

    @Override
    public CompletableFuture<?> callAll(int count) {
        return requireNumbered(map(SubmitOptions.ofJob("together-" + System.nanoTime()), count));
    }

    @Override
    public CompletableFuture<Integer> chain(int length) {
        DurableFuture<Integer> last = ratchet.submit(SHORT, BenchTasks.returning(0));
        for (int i = 1; i < length; i++) {
            last = ratchet.then(SHORT, last, BenchTasks.next());
        }
        return last.toCompletableFuture();
    }

    @Override
    public long otherCpuNanos() {
        return cluster.cpuNanos();
    }

    Cluster cluster() {
        return cluster;
    }

    Ratchet ratchet() {
        return ratchet;
    }

    Report report() {
        return report;
    }

    Extent extent() {
        return extent;
    }

    /** So many tasks that return their number. */
    List<DurableFuture<Integer>> map(SubmitOptions options, int count) {
        return map(ratchet, options, count);
    }

    /** The same of one of several programs. */
    static List<DurableFuture<Integer>> map(Ratchet program, SubmitOptions options, int count) {
        return program.map(options, IntStream.range(0, count).boxed().toList(), BenchTasks.same());
    }

    /** Completes once all are done; fails if one of them is not its number. */
    static CompletableFuture<?> requireNumbered(List<? extends DurableFuture<Integer>> futures) {
        return allOf(futures).thenRun(() -> {
            for (int number = 0; number < futures.size(); number++) {
                int result = futures.get(number).toCompletableFuture().join();
                if (result != number) {
                    throw new IllegalStateException("The task of " + number + " has returned " + result);
                }
            }
        });
    }

    static CompletableFuture<?> allOf(List<? extends DurableFuture<?>> futures) {
        return CompletableFuture.allOf(
                futures.stream().map(DurableFuture::toCompletableFuture).toArray(CompletableFuture[]::new));
    }

    /** How many tasks run at a time. */
    int slots() {
        return shape.threads() * cluster.size();
    }

    /** Where its processes have their files. */
    Path directory() {
        return directory;
    }

    /** How often workers have looked at the queue so far. */
    double claims() throws IOException, InterruptedException {
        return ofWorkers("ratchet_futures_claim_transactions_total");
    }

    /** What all workers together have counted so far, by the name of the metric. */
    double ofWorkers(String metric) throws IOException, InterruptedException {
        double sum = 0;
        for (int worker = 0; worker < cluster.size(); worker++) {
            sum += cluster.workerMetric(worker, metric);
        }
        return sum;
    }

    /** Commits that the store has answered so far. */
    double commits() throws IOException, InterruptedException {
        return cluster.storeMetric("ratchet_store_requests_total{kind=\"commit\"}");
    }

    /** Commits that the store has refused so far because of a conflict. */
    double conflicts() throws IOException, InterruptedException {
        return cluster.storeMetric("ratchet_store_errors_total{code=\"1020\"}");
    }

    /** Keys in the whole store, read part by part. */
    double keys() {
        double keys = 0;
        List<KeyValue> rows;
        byte[] from = new byte[0];
        do {
            byte[] first = from;
            rows = cluster.database().read(transaction -> transaction
                    .snapshot()
                    .getRange(first, new byte[] {(byte) 0xff}, KEYS_AT_ONCE)
                    .asList()
                    .join());
            keys += rows.size();
            from = rows.isEmpty() ? from : ByteArrayUtil.keyAfter(rows.getLast().getKey());
        } while (rows.size() == KEYS_AT_ONCE);
        return keys;
    }

    /** Fails if {@code ratchet check} would find anything. */
    void requireCheckedClean() {
        CheckReport found = new ClusterCheck(cluster.futures(), new StoredMembers(cluster.keyspace()))
                .run()
                .join();
        if (!found.isClean()) {
            throw new IllegalStateException(found.violationCount() + " violations: "
                    + found.violations().stream().limit(10).toList());
        }
    }

    private long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() + cluster.cpuNanos();
    }

    /** A line for callers that each wait for their operation before the next. */
    ClosedLoop.Result loop(String what, long size, int callers, Supplier<CompletableFuture<?>> operation)
            throws InterruptedException {
        return loop(what, size, callers, extent.millis() / 4, operation);
    }

    /** The same after a time of its own that does not count, for what compilers work at for longer. */
    ClosedLoop.Result loop(
            String what, long size, int callers, long warmUpMillis, Supplier<CompletableFuture<?>> operation)
            throws InterruptedException {
        ClosedLoop loop = new ClosedLoop(callers, ForkJoinPool.commonPool(), (LongSupplier) this::cpuNanos, operation);
        ClosedLoop.Result result = loop.run(warmUpMillis, extent.millis());
        report.add(Measurement.of(title, what, size, callers, result));
        return result;
    }

    /** A line for one caller, which waits for each operation. */
    ClosedLoop.Result waiting(String what, long size, Callable<?> operation) throws InterruptedException {
        return loop(what, size, 1, () -> ClosedLoop.waited(operation));
    }

    /** A line for something that is done once and counts as so many operations. */
    void once(String what, long size, long operations, Callable<?> body) throws Exception {
        long cpuBefore = cpuNanos();
        long began = System.nanoTime();
        body.call();
        double seconds = (System.nanoTime() - began) / 1e9;
        double cpuMicros = (cpuNanos() - cpuBefore) / 1e3 / operations;
        report.add(new Measurement(title, what, size, 1, operations / seconds, 0, 0, cpuMicros, 0));
    }

    /** A line for times that were taken one by one. */
    void times(String what, long size, Latencies times) {
        report.add(new Measurement(
                title, what, size, 1, 0, times.percentileNanos(0.5) / 1e3, times.percentileNanos(0.99) / 1e3, 0, 0));
    }

    /** A line for something that is counted per second, or as such. */
    void rate(String what, long size, double perSecond, double cpuMicros) {
        report.add(new Measurement(title, what, size, 1, perSecond, 0, 0, cpuMicros, 0));
    }

    @Override
    public void close() throws IOException {
        ratchet.close();
        cluster.close();
        Directories.delete(directory);
    }
}
