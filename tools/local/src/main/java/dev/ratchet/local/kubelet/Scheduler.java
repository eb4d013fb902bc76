/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Node;
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
 * Binds pods that nobody has bound yet to a node each, oldest first, while the requests of all bound pods fit; tells
 * the others why they wait. Used by one thread. Invariant: what it has bound counts at once, whether the list of pods
 * shows it already or not.
 */
final class Scheduler {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    private final KubernetesClient client;
    private final KubeletOptions size;
    private final Supplier<List<Node>> nodes;
    private final Supplier<List<Pod>> pods;
    private final PodEvents events;
    private final Map<String, Pod> assumed = new HashMap<>();
    private final Map<String, String> told = new HashMap<>();

    Scheduler(
            KubernetesClient client,
            KubeletOptions size,
            Supplier<List<Node>> nodes,
            Supplier<List<Pod>> pods,
            PodEvents events) {
        this.client = client;
        this.size = size;
        this.nodes = nodes;
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
        NodeChoice choice = NodeChoice.of(pod, nodes.get(), bound, size);
        try {
            if (choice.node().isPresent()) {
                bound.add(bind(pod, choice.node().get().getMetadata().getName()));
            } else if (!choice.obstacle().equals(told.get(pod.getMetadata().getUid()))) {
                tell(pod, choice.obstacle());
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

    private Pod bind(Pod pod, String node) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch(pod, Map.of("spec", Map.of("nodeName", node))));
        Pod placed = pod.edit().editSpec().withNodeName(node).endSpec().build();
        assumed.put(pod.getMetadata().getUid(), placed);
        events.add(
                pod,
                "Normal",
                "Scheduled",
                "Successfully assigned " + pod.getMetadata().getNamespace() + "/"
                        + pod.getMetadata().getName() + " to " + node);
        return placed;
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
