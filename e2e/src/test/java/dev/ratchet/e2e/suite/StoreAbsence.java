/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The longest time in which a store answered nobody, while it was looked at: the end of its process and the start of
 * the next. Told as up to {@value #EVERY_MILLIS} ms longer.
 */
final class StoreAbsence implements AutoCloseable {

    private static final int EVERY_MILLIS = 20;
    private static final int HEALTH_PORT = 7402;

    private final String address;
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor();
    private long answeredNanos = System.nanoTime();
    private long longestNanos;

    /** @param store whose address stays while its image is patched */
    StoreAbsence(Pod store) {
        address = store.getStatus().getPodIP() + ":" + HEALTH_PORT;
        reader.scheduleWithFixedDelay(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            TestEnvironment.metrics(address);
        } catch (RuntimeException | AssertionError away) {
            return;
        }
        synchronized (this) {
            long now = System.nanoTime();
            longestNanos = Math.max(longestNanos, now - answeredNanos);
            answeredNanos = now;
        }
    }

    synchronized long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(Math.max(longestNanos, System.nanoTime() - answeredNanos));
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
