/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.dataset.Dataset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lines about a dataset that is divided anew, first in peace, then while one worker is killed in the middle: how many
 * bytes went from worker to worker, and how many at least have to. The heap of each worker, which has one slot, is two
 * partitions beside what it needs without any.
 */
final class RepartitionLines {

    private static final int WORKERS = 4;
    private static final int BEFORE = 16;
    private static final int AFTER = 24;
    private static final int ELEMENT_BYTES = 10_000;
    private static final int OWN_HEAP_MEGABYTES = 128;
    private static final String FETCHED = "ratchet_objects_fetched_bytes_total";

    private RepartitionLines() {}

    static Shape shape(Extent extent) {
        int partition = (extent.datasetMegabytes() + BEFORE - 1) / BEFORE;
        return new Shape(WORKERS, 1, OWN_HEAP_MEGABYTES + 2 * partition, 256);
    }

    static void repartition(Subject subject) throws Exception {
        measure(subject, "repartition", false);
        measure(subject, "one worker lost", true);
        subject.requireCheckedClean();
    }

    private static void measure(Subject subject, String what, boolean loses) throws Exception {
        int elements = subject.extent().datasetMegabytes() * (1_000_000 / ELEMENT_BYTES) / BEFORE;
        long size = (long) BEFORE * elements * ELEMENT_BYTES;
        SubmitOptions options = SubmitOptions.ofJob("sources of " + what);
        List<DurableFuture<List<byte[]>>> sources = subject.ratchet()
                .map(
                        options,
                        IntStream.range(0, BEFORE).boxed().toList(),
                        BenchTasks.partition(elements, ELEMENT_BYTES));
        subject.ratchet().await(sources, BEFORE, Subject.LIMIT);

        SubmitOptions job = SubmitOptions.ofJob(what);
        double fetchedBefore = fetched(subject.cluster(), WORKERS);
        double lostBefore = subject.cluster().workerMetric(WORKERS - 1, FETCHED);
        double lostFetched = 0;
        long began = System.nanoTime();
        List<DurableFuture<List<byte[]>>> parts = Dataset.ofFutures(subject.ratchet(), job, sources)
                .repartition(AFTER)
                .futures();
        if (loses) {
            awaitHalf(subject, what);
            lostFetched = subject.cluster().workerMetric(WORKERS - 1, FETCHED);
            subject.cluster().worker(WORKERS - 1).kill();
        }
        int done = subject.ratchet().await(parts, AFTER, Subject.LIMIT).done().size();
        if (done < AFTER) {
            throw new IllegalStateException(done + " of " + AFTER + " partitions are there after " + Subject.LIMIT);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        double moved = fetched(subject.cluster(), loses ? WORKERS - 1 : WORKERS) + lostFetched - fetchedBefore;
        requireAll(subject, parts, BEFORE * elements);
        // Each new partition is on one of so many workers, and takes as much from every other one.
        double left = loses ? WORKERS - 1 : WORKERS;
        double least = size * (1 - 1 / left) + (loses ? lostFetched - lostBefore : 0);
        subject.rate(what + ", MB per s", size, size / 1e6 / seconds, 0);
        subject.rate(what + ", MB moved", size, moved / 1e6, 0);
        subject.rate(what + ", MB at least", size, least / 1e6, 0);
        for (String name : List.of(what, options.job())) {
            subject.ratchet()
                    .deleteAll(subject.ratchet()
                            .list(FutureQuery.ofJob(name))
                            .map(info -> subject.ratchet().future(info.id()))
                            .toList());
        }
    }

    private static void awaitHalf(Subject subject, String job) throws InterruptedException {
        long limit = System.nanoTime() + Subject.LIMIT.toNanos();
        while (System.nanoTime() < limit) {
            JobSummary summary = subject.ratchet().summary(job);
            if (summary.total() > 0 && 2 * summary.count(FutureState.REALIZED) >= summary.total()) {
                return;
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("Half of " + job + " is not done after " + Subject.LIMIT);
    }

    private static double fetched(Cluster cluster, int workers) throws IOException, InterruptedException {
        double bytes = 0;
        for (int worker = 0; worker < workers; worker++) {
            bytes += cluster.workerMetric(worker, FETCHED);
        }
        return bytes;
    }

    /** Every element is there once, as it was made, and partitions differ little in size. */
    private static void requireAll(Subject subject, List<DurableFuture<List<byte[]>>> partitions, int elements)
            throws InterruptedException {
        List<DurableFuture<int[]>> looked = new ArrayList<>();
        for (DurableFuture<List<byte[]>> partition : partitions) {
            looked.add(subject.ratchet().then(SubmitOptions.ofJob("looked at"), partition, BenchTasks.numbers()));
        }
        BitSet seen = new BitSet();
        for (int[] numbers : subject.ratchet().awaitAll(looked)) {
            if (Math.abs(numbers.length - elements / partitions.size()) > partitions.size()) {
                throw new IllegalStateException(
                        "A partition of " + partitions.size() + " has " + numbers.length + " elements of " + elements);
            }
            for (int number : numbers) {
                if (number < 0 || number >= elements || seen.get(number)) {
                    throw new IllegalStateException("Element " + number + " is there twice, or was never made");
                }
                seen.set(number);
            }
        }
        if (seen.cardinality() != elements) {
            throw new IllegalStateException(seen.cardinality() + " of " + elements + " elements are there");
        }
    }
}
