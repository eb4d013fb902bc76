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
 * The bytes of results that workers of a cluster have got from each other, also those that are gone: read again and
 * again from what each of them serves. Of one that ends within {@value #EVERY_MILLIS} ms after it has got something
 * that is not counted.
 */
final class FetchedBytes implements AutoCloseable {

    private static final int EVERY_MILLIS = 200;
    private static final int HEALTH_PORT = 7402;
    private static final Pattern FETCHED =
            Pattern.compile("(?m)^ratchet_objects_fetched_bytes_total(?:\\{[^}]*})? (\\S+)$");

    private final Cluster cluster;
    private final Map<String, Long> byProcess = new HashMap<>();
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor();

    FetchedBytes(Cluster cluster) {
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
            Matcher found = FETCHED.matcher(TestEnvironment.metrics(address + ":" + HEALTH_PORT));
            if (found.find()) {
                String process = pod.getMetadata().getUid()
                        + pod.getStatus().getContainerStatuses().getFirst().getRestartCount();
                long bytes = (long) Double.parseDouble(found.group(1));
                synchronized (this) {
                    byProcess.merge(process, bytes, Math::max);
                }
            }
        } catch (RuntimeException | AssertionError starting) {
            // A process that starts or has ended serves nothing.
        }
    }

    synchronized long sum() {
        return byProcess.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
