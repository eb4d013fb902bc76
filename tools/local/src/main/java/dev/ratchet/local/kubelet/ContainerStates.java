/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Puts the state of a container into the words of the Kubernetes API. Pure. */
final class ContainerStates {

    private ContainerStates() {}

    static ContainerStateTerminated terminated(int exitCode, Instant startedAt, Instant finishedAt) {
        return new ContainerStateTerminatedBuilder()
                .withExitCode(exitCode)
                .withReason(exitCode == 0 ? "Completed" : "Error")
                .withStartedAt(seconds(startedAt))
                .withFinishedAt(seconds(finishedAt))
                .build();
    }

    static ContainerStatus status(ContainerRunner container, String podUid) {
        ContainerStatusBuilder status = new ContainerStatusBuilder()
                .withName(container.spec().getName())
                .withImage(container.spec().getImage())
                .withImageID(container.hasRun() ? "local://" + container.spec().getImage() : "")
                .withReady(container.isReady())
                .withStarted(container.isStarted())
                .withRestartCount(container.restarts())
                .withState(state(container));
        if (container.hasRun()) {
            status.withContainerID(
                    "process://" + podUid + "/" + container.spec().getName() + "/" + container.restarts());
        }
        if (container.lastTerminated() != null) {
            status.withLastState(new ContainerStateBuilder()
                    .withTerminated(container.lastTerminated())
                    .build());
        }
        return status.build();
    }

    private static ContainerState state(ContainerRunner container) {
        ContainerStateBuilder state = new ContainerStateBuilder();
        return switch (container.phase()) {
            case RUNNING ->
                state.withNewRunning()
                        .withStartedAt(seconds(container.startedAt()))
                        .endRunning()
                        .build();
            case TERMINATED -> state.withTerminated(container.terminated()).build();
            case WAITING ->
                state.withNewWaiting()
                        .withReason(container.waitingReason())
                        .withMessage(container.waitingMessage().isEmpty() ? null : container.waitingMessage())
                        .endWaiting()
                        .build();
        };
    }

    /** Times in the Kubernetes API have whole seconds. */
    static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
