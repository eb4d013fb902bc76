/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.PodFacts;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owns how long a pod that ended by itself stays dead: not at all the first time, then 10 s, doubling up to 5 min;
 * forgiven after an hour. Soft: after a restart of the operator counting begins anew.
 */
final class PodRetries {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration FORGIVEN_AFTER = Duration.ofHours(1);
    private static final int DOUBLINGS_MAX = 5;

    private record Failure(String uid, int count, Instant at) {}

    private final Map<ClusterKey, Map<String, Failure>> failures = new ConcurrentHashMap<>();

    /** When each finished pod may be replaced; called once per reconcile of the cluster. */
    Map<String, Instant> observe(ClusterKey cluster, Map<String, Pod> pods, Instant now) {
        Map<String, Failure> known = failures.computeIfAbsent(cluster, key -> new ConcurrentHashMap<>());
        known.values().removeIf(failure -> now.isAfter(failure.at().plus(FORGIVEN_AFTER)));
        Map<String, Instant> retries = new HashMap<>();
        pods.forEach((name, pod) -> {
            if (PodFacts.isFinished(pod)) {
                String uid = pod.getMetadata().getUid();
                Failure failure = Objects.requireNonNull(known.compute(name, (key, before) -> {
                    if (before == null) {
                        return new Failure(uid, 1, now);
                    }
                    return before.uid().equals(uid) ? before : new Failure(uid, before.count() + 1, now);
                }));
                retries.put(name, failure.at().plus(delay(failure.count())));
            }
        });
        return retries;
    }

    void forget(ClusterKey cluster) {
        failures.remove(cluster);
    }

    private static Duration delay(int count) {
        if (count == 1) {
            return Duration.ZERO;
        }
        Duration delay = FIRST.multipliedBy(1L << Math.min(count - 2, DOUBLINGS_MAX));
        return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
    }
}
