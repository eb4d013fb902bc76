/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;

/**
 * Owns the rule for a pod that was told to end and does not, because its node is lost and nobody can say that it ended:
 * it keeps its name, and with it the seat, for ever. It is deleted without waiting for the node if its node is gone or
 * not ready, it should have ended a while ago, and the coordinator says that the process has lost its seat: the store
 * refuses whatever it may still do, and what it held is computed again.
 */
public final class LostPods {
    /** Beyond what the pod was given: a kubelet that works needs some seconds. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private LostPods() {}

    /** Whether the pod was told to end and should have ended a while ago. */
    public static boolean isOverdue(Pod pod, Instant now) {
        return PodFacts.endsBy(pod).filter(by -> now.isAfter(by.plus(LATE))).isPresent();
    }

    /** Whether its node is lost as well. */
    static boolean isLost(Snapshot snapshot, Pod pod) {
        return isOverdue(pod, snapshot.now())
                && snapshot.surroundings().lostNodes().contains(PodFacts.node(pod));
    }

    /** Whether the coordinator says, too, that its process has no seat any more. */
    static boolean hasNoSeat(Snapshot snapshot, Pod pod) {
        String uid = pod.getMetadata().getUid();
        return snapshot.clusterReport()
                .filter(clusterReport -> clusterReport
                        .worker(pod.getMetadata().getName())
                        .map(report -> !uid.equals(report.podUid()) || report.state() == ReportedWorkerState.MUST_DIE)
                        .orElse(true))
                .isPresent();
    }

    /** When to look at a pod that ends: nothing tells of nodes. */
    static Instant lookAgain(Snapshot snapshot, Pod pod) {
        Instant due = PodFacts.endsBy(pod).orElse(snapshot.now()).plus(LATE).plusSeconds(1);
        Instant soon = snapshot.now().plus(LOOK_AGAIN);
        return due.isAfter(soon) ? due : soon;
    }
}
