/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds pods that nobody has bound yet to the one node, oldest first, while the requests of all bound pods fit; tells
 * the others why they wait. Used by one thread. Invariant: what it has bound counts at once, whether the list of pods
 * shows it already or not.
 */
final class Scheduler {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    private final KubernetesClient client;
    private final KubeletOptions node;
    private final Supplier<List<Pod>> pods;
    private final PodEvents events;
    private final Map<String, Pod> assumed = new HashMap<>();
    private final Map<String, String> told = new HashMap<>();

    Scheduler(KubernetesClient client, KubeletOptions node, Supplier<List<Pod>> pods, PodEvents events) {
        this.client = client;
        this.node = node;
        this.pods = pods;
        this.events = events;
    }

    /** Looks at all pods once. */
    void run() {
        List<Pod> all = pods.get();
        Map<String, Pod> waiting = new HashMap<>();
        List<Pod> bound = new ArrayList<>();
        for (Pod pod : all) {
            boolean isBound = pod.getSpec().getNodeName() != null
                    && !pod.getSpec().getNodeName().isEmpty();
            if (isBound) {
                assumed.remove(pod.getMetadata().getUid());
                if (!isOver(pod)) {
                    bound.add(pod);
                }
            } else if (!assumed.containsKey(pod.getMetadata().getUid())) {
                waiting.put(pod.getMetadata().getUid(), pod);
            }
        }
        assumed.keySet()
                .retainAll(all.stream().map(pod -> pod.getMetadata().getUid()).toList());
        told.keySet().retainAll(waiting.keySet());
        bound.addAll(assumed.values());
        waiting.values().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .forEach(pod -> place(pod, bound));
    }

    private void place(Pod pod, List<Pod> bound) {
        String obstacle = obstacle(pod, bound);
        try {
            if (obstacle.isEmpty()) {
                bind(pod);
                bound.add(pod);
            } else if (!obstacle.equals(told.get(pod.getMetadata().getUid()))) {
                tell(pod, obstacle);
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404) {
                LOG.warn(
                        "a pod can not be bound, it is tried again: pod={} cause={}",
                        pod.getMetadata().getName(),
                        e.toString());
            }
        }
    }

    private String obstacle(Pod pod, List<Pod> bound) {
        List<String> reasons = new ArrayList<>();
        Map<String, String> selector = pod.getSpec().getNodeSelector();
        if (selector != null && !NodeAgent.labels(node).entrySet().containsAll(selector.entrySet())) {
            reasons.add("node(s) didn't match Pod's node affinity/selector");
        }
        if (bound.size() >= KubeletOptions.PODS_LIMIT) {
            reasons.add("Too many pods");
        }
        PodRequests used = bound.stream().map(PodRequests::of).reduce(PodRequests.NONE, PodRequests::plus);
        reasons.addAll(PodRequests.of(pod).missing(used, node.cpuMillis(), node.memoryBytes()));
        return reasons.isEmpty() ? "" : "0/1 nodes are available: 1 " + String.join(", 1 ", reasons) + ".";
    }

    private void bind(Pod pod) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        patch(pod, Map.of("spec", Map.of("nodeName", node.nodeName()))));
        assumed.put(pod.getMetadata().getUid(), pod);
        events.add(
                pod,
                "Normal",
                "Scheduled",
                "Successfully assigned " + pod.getMetadata().getNamespace() + "/"
                        + pod.getMetadata().getName() + " to " + node.nodeName());
    }

    private void tell(Pod pod, String obstacle) {
        List<PodCondition> conditions = new ArrayList<>(
                pod.getStatus() == null ? List.of() : pod.getStatus().getConditions());
        conditions.removeIf(condition -> condition.getType().equals("PodScheduled"));
        conditions.add(new PodConditionBuilder()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage(obstacle)
                .withLastTransitionTime(ContainerStates.seconds(Instant.now()))
                .build());
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        patch(pod, Map.of("status", Map.of("phase", "Pending", "conditions", conditions))));
        told.put(pod.getMetadata().getUid(), obstacle);
        events.add(pod, "Warning", "FailedScheduling", obstacle);
    }

    /** The UID makes the API server refuse the patch for another pod of that name. */
    static String patch(Pod pod, Map<String, Object> fields) {
        Map<String, Object> patch = new HashMap<>(fields);
        patch.put("metadata", Map.of("uid", pod.getMetadata().getUid()));
        return Serialization.asJson(patch);
    }

    private static boolean isOver(Pod pod) {
        String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }
}
