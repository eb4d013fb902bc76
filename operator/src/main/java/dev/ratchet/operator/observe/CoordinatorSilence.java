/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owns since when a cluster has had ready workers and no coordinator that could be heard. A first election, the next
 * one after a coordinator ended and a connection of a new operator take a moment, of which nobody needs to be told.
 * Soft: after a restart of the operator counting begins anew.
 */
public final class CoordinatorSilence {

    /** A silence that has lasted so long is told. */
    public static final Duration TOLD_AFTER = Duration.ofSeconds(10);

    private final Map<ClusterKey, Instant> since = new ConcurrentHashMap<>();

    /**
     * From when on the silence is told, or nothing if there is none; called once per reconcile of the cluster.
     *
     * @param heard whether the coordinator is heard
     * @param pods those of the cluster
     */
    public Optional<Instant> observe(ClusterKey cluster, boolean heard, Collection<Pod> pods, Instant now) {
        if (heard || pods.stream().noneMatch(pod -> isWorker(pod) && PodFacts.isReady(pod))) {
            since.remove(cluster);
            return Optional.empty();
        }
        Instant began = Objects.requireNonNull(since.computeIfAbsent(cluster, key -> now));
        return Optional.of(began.plus(TOLD_AFTER));
    }

    private static boolean isWorker(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels != null && Labels.WORKER.equals(labels.get(Labels.COMPONENT));
    }

    public void forget(ClusterKey cluster) {
        since.remove(cluster);
    }
}
