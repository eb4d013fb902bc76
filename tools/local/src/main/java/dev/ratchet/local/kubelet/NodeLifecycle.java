/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what becomes of the pods of a lost node, as Kubernetes' own controllers do: at once they are not ready; after
 * the time for which they tolerate it they are told to end, which nobody confirms until the node is back. Used by one
 * thread.
 */
final class NodeLifecycle {

    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    private final KubernetesClient client;
    private final Duration tolerated;
    private final Map<String, Instant> lostSince = new HashMap<>();

    /** @param tolerated how long pods stay that do not say it themselves */
    NodeLifecycle(KubernetesClient client, Duration tolerated) {
        this.client = client;
        this.tolerated = tolerated;
    }

    void lost(String node, Instant now) {
        lostSince.putIfAbsent(node, now);
    }

    void back(String node) {
        lostSince.remove(node);
    }

    /** Looks at {@code pods} once. */
    void run(List<Pod> pods, Instant now) {
        for (Pod pod : pods) {
            Instant since = lostSince.get(String.valueOf(pod.getSpec().getNodeName()));
            if (since == null || pod.getMetadata().getDeletionTimestamp() != null) {
                continue;
            }
            if (isReady(pod)) {
                markNotReady(pod, now);
            }
            Optional<Duration> stays = tolerated(pod);
            if (stays.isPresent() && !now.isBefore(since.plus(stays.get()))) {
                client.pods()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .delete();
            }
        }
    }

    /** Empty: for ever. */
    private Optional<Duration> tolerated(Pod pod) {
        List<Toleration> matching = pod.getSpec().getTolerations().stream()
                .filter(toleration -> toleration.getKey() == null || UNREACHABLE.equals(toleration.getKey()))
                .filter(toleration -> toleration.getEffect() == null || "NoExecute".equals(toleration.getEffect()))
                .toList();
        if (matching.isEmpty()) {
            return Optional.of(tolerated);
        }
        return matching.stream()
                .filter(toleration -> toleration.getTolerationSeconds() != null)
                .map(toleration -> Duration.ofSeconds(toleration.getTolerationSeconds()))
                .min(Duration::compareTo);
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream().anyMatch(NodeLifecycle::isReadyCondition);
    }

    private static boolean isReadyCondition(PodCondition condition) {
        return condition.getType().equals("Ready") && condition.getStatus().equals("True");
    }

    private void markNotReady(Pod pod, Instant now) {
        List<PodCondition> conditions = pod.getStatus().getConditions().stream()
                .map(condition -> isReadyCondition(condition)
                        ? condition
                                .edit()
                                .withStatus("False")
                                .withReason("NodeNotReady")
                                .withLastTransitionTime(ContainerStates.seconds(now))
                                .build()
                        : condition)
                .toList();
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Scheduler.patch(pod, Map.of("status", Map.of("conditions", conditions))));
    }
}
