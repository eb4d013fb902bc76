/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.plan.LostPods;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the reading of nodes: only of those on which a pod does not end, by name, at most once in {@link #READ_EVERY}. A
 * cluster without such a pod costs no request. What can not be read counts as a node that is there.
 */
final class NodeReader {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReader.class);
    private static final Duration READ_EVERY = Duration.ofSeconds(30);

    /** As long as pods tolerate it by default: a node that comes back sooner is not lost. */
    private static final Duration NOT_READY_FOR = Duration.ofMinutes(5);

    private record Reading(boolean lost, Instant at) {}

    private final KubernetesClient client;
    private final Map<String, Reading> readings = new ConcurrentHashMap<>();

    NodeReader(KubernetesClient client) {
        this.client = client;
    }

    /** The lost ones among the nodes of pods that should have ended. */
    Set<String> lost(Collection<Pod> pods, Instant now) {
        readings.values().removeIf(reading -> now.isAfter(reading.at().plus(READ_EVERY)));
        Set<String> lost = new HashSet<>();
        for (Pod pod : pods) {
            String node = PodFacts.node(pod);
            if (!node.isEmpty() && LostPods.isOverdue(pod, now) && isLostAsRead(node, now)) {
                lost.add(node);
            }
        }
        return lost;
    }

    private boolean isLostAsRead(String node, Instant now) {
        Reading reading = readings.get(node);
        if (reading == null) {
            reading = new Reading(isLost(node, now), now);
            readings.put(node, reading);
        }
        return reading.lost();
    }

    private boolean isLost(String name, Instant now) {
        try {
            return isLost(client.nodes().withName(name).get(), now);
        } catch (KubernetesClientException refused) {
            LOG.warn(
                    "node {}, on which a pod does not end, can not be read, so it counts as a node that is there: {}",
                    name,
                    refused.getMessage());
            return false;
        }
    }

    private static boolean isLost(@Nullable Node node, Instant now) {
        if (node == null) {
            return true;
        }
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Ready".equals(condition.getType())
                                && !"True".equals(condition.getStatus())
                                && since(condition).plus(NOT_READY_FOR).isBefore(now));
    }

    private static Instant since(NodeCondition condition) {
        return condition.getLastTransitionTime() == null
                ? Instant.MAX.minus(NOT_READY_FOR)
                : Instant.parse(condition.getLastTransitionTime());
    }
}
