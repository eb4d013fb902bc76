/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives the status of a pod from its containers and remembers since when each condition holds. Conditions of others
 * are kept as they are. Used by one thread.
 */
final class PodStatuses {

    private final Map<String, PodCondition> last = new LinkedHashMap<>();
    private final String startTime = ContainerStates.seconds(Instant.now());

    PodStatus of(
            Pod pod,
            String address,
            List<ContainerRunner> initial,
            List<ContainerRunner> containers,
            boolean mayRestart) {
        boolean initialized = initial.stream().allMatch(ContainerRunner::hasSucceeded);
        String phase = phase(pod.getSpec().getRestartPolicy(), initial, containers, initialized, mayRestart);
        boolean isOver = phase.equals("Succeeded") || phase.equals("Failed");
        List<String> unready = containers.stream()
                .filter(container -> !container.isReady())
                .map(container -> container.spec().getName())
                .toList();
        String reason = phase.equals("Succeeded")
                ? "PodCompleted"
                : phase.equals("Failed") ? "PodFailed" : "ContainersNotReady";
        String message = isOver ? null : "containers with unready status: " + unready;
        boolean ready = initialized && unready.isEmpty();
        List<PodCondition> conditions = new ArrayList<>(Stream.of(
                        condition("PodScheduled", true, null, null),
                        condition("Initialized", initialized, initialized ? null : "ContainersNotInitialized", null),
                        condition("ContainersReady", ready, ready ? null : reason, ready ? null : message),
                        condition("Ready", ready, ready ? null : reason, ready ? null : message))
                .toList());
        if (pod.getStatus() != null) {
            pod.getStatus().getConditions().stream()
                    .filter(condition -> !last.containsKey(condition.getType()))
                    .forEach(conditions::add);
        }
        return new PodStatusBuilder()
                .withPhase(phase)
                .withConditions(conditions)
                .withHostIP("127.0.0.1")
                .withPodIP(address)
                .addNewPodIP(address)
                .withStartTime(startTime)
                .withInitContainerStatuses(statuses(initial, pod))
                .withContainerStatuses(statuses(containers, pod))
                .build();
    }

    private static List<ContainerStatus> statuses(List<ContainerRunner> containers, Pod pod) {
        return containers.stream()
                .map(container ->
                        ContainerStates.status(container, pod.getMetadata().getUid()))
                .toList();
    }

    private static String phase(
            String policy,
            List<ContainerRunner> initial,
            List<ContainerRunner> containers,
            boolean initialized,
            boolean mayRestart) {
        if (!initialized) {
            boolean isLost = initial.stream()
                    .anyMatch(container ->
                            container.phase() == ContainerRunner.Phase.TERMINATED && !container.hasSucceeded());
            return isLost && (!mayRestart || "Never".equals(policy)) ? "Failed" : "Pending";
        }
        if (containers.stream().allMatch(container -> container.phase() == ContainerRunner.Phase.TERMINATED)) {
            boolean succeeded = containers.stream().allMatch(ContainerRunner::hasSucceeded);
            boolean isEnd = !mayRestart || "Never".equals(policy) || ("OnFailure".equals(policy) && succeeded);
            return isEnd ? (succeeded ? "Succeeded" : "Failed") : "Running";
        }
        return containers.stream().allMatch(ContainerRunner::hasRun) ? "Running" : "Pending";
    }

    private PodCondition condition(String type, boolean holds, @Nullable String reason, @Nullable String message) {
        String status = holds ? "True" : "False";
        PodCondition before = last.get(type);
        String since = before != null && Objects.equals(before.getStatus(), status)
                ? before.getLastTransitionTime()
                : ContainerStates.seconds(Instant.now());
        PodCondition now = new PodConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .build();
        last.put(type, now);
        return now;
    }
}
