/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.operator.observe.ClusterKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owns the question whether the loop hangs: a reconcile may take long, because it may write thousands of objects, but
 * between one write and the next nothing takes as long as {@link #LIMIT}. Thread-safe.
 */
public final class Watchdog {
    /** More than a request to the API server takes with all its repetitions. */
    public static final Duration LIMIT = Duration.ofMinutes(5);

    private final InstantSource clock;
    /** The last sign of life of each reconcile under way. A cluster has at most one. */
    private final Map<ClusterKey, Instant> signs = new ConcurrentHashMap<>();

    public Watchdog(InstantSource clock) {
        this.clock = clock;
    }

    /** A reconcile of the cluster is under way, and goes on. */
    void goesOn(ClusterKey cluster) {
        signs.put(cluster, clock.instant());
    }

    /** It ended, however. */
    void ended(ClusterKey cluster) {
        signs.remove(cluster);
    }

    /** Why the process should be ended, if it should. */
    public Optional<String> problem() {
        Instant limit = clock.instant().minus(LIMIT);
        return signs.entrySet().stream()
                .filter(sign -> sign.getValue().isBefore(limit))
                .min(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .map(sign -> "the reconcile of " + sign.getKey() + " has not gone on since " + sign.getValue()
                        + ", for more than " + LIMIT.toSeconds() + " s");
    }
}
