/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processes of a cluster's workers, also those that are gone, as what each of them serves says again and again: the
 * bytes of results that they have got from each other, and how long they took to start. Of one that ends within
 * {@value #EVERY_MILLIS} ms after it has got something that is not counted; a start is told as up to so much shorter or
 * longer.
 */
final class WorkerProcesses implements AutoCloseable {

    private static final int EVERY_MILLIS = 100;
    private static final int HEALTH_PORT = 7402;
    private static final Pattern FETCHED =
            Pattern.compile("(?m)^ratchet_objects_fetched_bytes_total(?:\\{[^}]*})? (\\S+)$");

    private final Cluster cluster;
    private final Map<String, Started> processes = new HashMap<>();
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor();

    /** One of them. */
    private static final class Started {
        private final long seenNanos = System.nanoTime();
        private long startNanos;
        private long fetchedBytes;

        private void serves(long bytes) {
            if (startNanos == 0) {
                startNanos = System.nanoTime() - seenNanos;
            }
            fetchedBytes = Math.max(fetchedBytes, bytes);
        }
    }

    WorkerProcesses(Cluster cluster) {
        this.cluster = cluster;
        reader.scheduleWithFixedDelay(this::read, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void read() {
        try {
            cluster.workerPods().forEach(this::read);
        } catch (RuntimeException unreachable) {
            // The API server is asked again with the next round.
        }
    }

    private void read(Pod pod) {
        String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
        if (address == null) {
            return;
        }
        try {
            String name = pod.getMetadata().getUid()
                    + pod.getStatus().getContainerStatuses().getFirst().getRestartCount();
            Started process;
            synchronized (this) {
                process = processes.computeIfAbsent(name, unseen -> new Started());
            }
            Matcher found = FETCHED.matcher(TestEnvironment.metrics(address + ":" + HEALTH_PORT));
            if (found.find()) {
                synchronized (this) {
                    process.serves((long) Double.parseDouble(found.group(1)));
                }
            }
        } catch (RuntimeException | AssertionError starting) {
            // A process that starts or has ended serves nothing.
        }
    }

    synchronized long fetchedBytes() {
        return processes.values().stream()
                .mapToLong(process -> process.fetchedBytes)
                .sum();
    }

    /** The longest time from when a process was there until it served, of those that began after {@code nanoTime}. */
    synchronized long longestStartMillis(long nanoTime) {
        long longest = processes.values().stream()
                .filter(process -> process.seenNanos - nanoTime > 0)
                .mapToLong(process -> process.startNanos)
                .max()
                .orElse(0);
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
