/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.protocol.security.TransportSecurity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Owns one link per cluster and the one timer that drives them all. */
public final class CoordinatorLinks implements CoordinatorObserver {
    private static final long TICK_MILLIS = 250;
    private static final int CALLBACK_THREADS = 2;

    private final Map<ClusterKey, CoordinatorLink> links = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer;
    private final ExecutorService callbacks;
    private final Consumer<ClusterKey> changed;

    /** Links that call {@code changed} after each change worth a reconcile, from any thread; it must not block. */
    public CoordinatorLinks(Consumer<ClusterKey> changed) {
        this.changed = changed;
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("coordinator-timer").factory());
        this.callbacks = Executors.newFixedThreadPool(
                CALLBACK_THREADS,
                Thread.ofPlatform().daemon().name("coordinator-", 0).factory());
        timer.scheduleWithFixedDelay(
                () -> links.values().forEach(CoordinatorLink::tick), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<CoordinatorReport> clusterReport(ClusterKey cluster) {
        return Optional.ofNullable(links.get(cluster)).flatMap(CoordinatorLink::clusterReport);
    }

    @Override
    public void track(ClusterKey cluster, List<Endpoint> endpoints, TransportSecurity security, Commands commands) {
        links.computeIfAbsent(
                        cluster,
                        key -> new CoordinatorLink(key, callbacks, System::nanoTime, () -> changed.accept(key)))
                .update(endpoints, security, commands);
    }

    @Override
    public void forget(ClusterKey cluster) {
        CoordinatorLink link = links.remove(cluster);
        if (link != null) {
            link.close();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        links.keySet().forEach(this::forget);
        callbacks.shutdown();
    }
}
