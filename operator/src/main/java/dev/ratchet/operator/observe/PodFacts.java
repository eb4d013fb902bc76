/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Owns the reading of a pod's status: each answer is what Kubernetes has said, and "not said" counts as the more
 * careful answer.
 */
public final class PodFacts {
    private static final Set<String> CANNOT_START = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError",
            "CrashLoopBackOff");

    /** What a worker exits with that gets no answer from its store, and waits for it from then on. */
    private static final int STORE_SILENT = 6;

    private PodFacts() {}

    /** Somebody asked for its end. */
    public static boolean isTerminating(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    /**
     * When the process of a pod that was told to end must have ended, as its deletion says; empty if it was not told.
     */
    public static Optional<Instant> endsBy(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getDeletionTimestamp()).map(Instant::parse);
    }

    /** The node that it runs on; "" while there is none. */
    public static String node(Pod pod) {
        return pod.getSpec() == null || pod.getSpec().getNodeName() == null
                ? ""
                : pod.getSpec().getNodeName();
    }

    /** It ended and will not run again. */
    public static boolean isFinished(Pod pod) {
        String phase = phase(pod);
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    /** Its program ended and said that all went well. */
    public static boolean hasSucceeded(Pod pod) {
        return phase(pod).equals("Succeeded");
    }

    public static boolean isReady(Pod pod) {
        PodStatus status = pod.getStatus();
        return !isTerminating(pod)
                && status != null
                && status.getConditions() != null
                && status.getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** Its own container has never run, so its process can not have taken the seat. */
    public static boolean neverStarted(Pod pod) {
        if (!phase(pod).equals("Pending")) {
            return false;
        }
        return statuses(pod).stream()
                .filter(status -> isOurs(status.getName()))
                .allMatch(status -> status.getRestartCount() != null
                        && status.getRestartCount() == 0
                        && !Boolean.TRUE.equals(status.getStarted())
                        && isEmpty(status.getLastState())
                        && (isEmpty(status.getState()) || status.getState().getWaiting() != null));
    }

    /** How often the container was started again. */
    public static int restarts(Pod pod, String container) {
        return statuses(pod).stream()
                .filter(status -> container.equals(status.getName()) && status.getRestartCount() != null)
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
    }

    /** Since when the scheduler has found no node for it; empty if it has one, or was not tried. */
    public static Optional<Instant> unschedulableSince(Pod pod) {
        return unschedulable(pod).map(PodCondition::getLastTransitionTime).map(Instant::parse);
    }

    /** Why it does not start, in the words of the kubelet or the scheduler. */
    public static Optional<String> trouble(Pod pod) {
        Optional<String> waiting = allStatuses(pod)
                .filter(status -> status.getState() != null && status.getState().getWaiting() != null)
                .map(status -> status.getState().getWaiting())
                .filter(state -> CANNOT_START.contains(state.getReason()))
                .map(state -> state.getReason())
                .findFirst();
        return waiting.isPresent() ? waiting : unschedulable(pod).map(PodCondition::getReason);
    }

    /** What its last process, or one before it in the pod, said was the reason for its end. */
    public static Optional<String> lastWords(Pod pod) {
        return allStatuses(pod)
                .flatMap(PodFacts::ends)
                .map(ContainerStateTerminated::getMessage)
                .filter(message -> message != null && !message.isBlank())
                .map(String::strip)
                .findFirst();
    }

    /** Its last process ended because the store gave no answer, so the one that runs now waits for it. */
    public static boolean waitsForStore(Pod pod) {
        return statuses(pod).stream()
                .filter(status -> isOurs(status.getName()))
                .flatMap(PodFacts::ends)
                .anyMatch(end -> Integer.valueOf(STORE_SILENT).equals(end.getExitCode()));
    }

    /** It runs the embedded store, and no worker. */
    public static boolean isStore(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .anyMatch(container -> container.getName().equals(Names.STORE_CONTAINER));
    }

    /** Its last process was killed by the kernel, because the container reached its memory limit. */
    public static boolean ranOutOfMemory(Pod pod) {
        return allStatuses(pod).flatMap(PodFacts::ends).anyMatch(end -> "OOMKilled".equals(end.getReason()));
    }

    private static Stream<ContainerStateTerminated> ends(ContainerStatus status) {
        return Stream.of(Optional.ofNullable(status.getState()), Optional.ofNullable(status.getLastState()))
                .flatMap(Optional::stream)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull);
    }

    public static String revision(Pod pod) {
        return pod.getMetadata().getAnnotations() == null
                ? ""
                : pod.getMetadata().getAnnotations().getOrDefault(Names.REVISION_ANNOTATION, "");
    }

    /** Its address, once it has one. */
    public static Optional<String> address(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getPodIP).filter(address -> !address.isEmpty());
    }

    /** The image that really runs, with its digest where the runtime told it. */
    public static String image(Pod pod) {
        return statuses(pod).stream()
                .filter(status -> isOurs(status.getName()))
                .map(status ->
                        status.getImageID() == null || status.getImageID().isEmpty()
                                ? status.getImage()
                                : status.getImageID())
                .filter(image -> image != null)
                .findFirst()
                .orElse("");
    }

    private static Optional<PodCondition> unschedulable(Pod pod) {
        PodStatus status = pod.getStatus();
        if (status == null || status.getConditions() == null) {
            return Optional.empty();
        }
        return status.getConditions().stream()
                .filter(condition -> "PodScheduled".equals(condition.getType())
                        && "False".equals(condition.getStatus())
                        && "Unschedulable".equals(condition.getReason()))
                .findFirst();
    }

    private static boolean isOurs(String container) {
        return container.equals(Names.WORKER_CONTAINER) || container.equals(Names.STORE_CONTAINER);
    }

    private static boolean isEmpty(ContainerState state) {
        return state == null
                || (state.getRunning() == null && state.getTerminated() == null && state.getWaiting() == null);
    }

    private static Stream<ContainerStatus> allStatuses(Pod pod) {
        PodStatus status = pod.getStatus();
        List<ContainerStatus> first = status == null || status.getInitContainerStatuses() == null
                ? List.of()
                : status.getInitContainerStatuses();
        return Stream.concat(first.stream(), statuses(pod).stream());
    }

    private static List<ContainerStatus> statuses(Pod pod) {
        PodStatus status = pod.getStatus();
        return status == null || status.getContainerStatuses() == null ? List.of() : status.getContainerStatuses();
    }

    private static String phase(Pod pod) {
        PodStatus status = pod.getStatus();
        return status == null || status.getPhase() == null ? "Pending" : status.getPhase();
    }
}
