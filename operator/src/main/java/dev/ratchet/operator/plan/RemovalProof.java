/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.operator.observe.CoordinatorStatement;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.Set;

/**
 * Owns the one question before anything of a seat is removed: is it proved that nothing is lost? No answer means no.
 * The proofs are:
 *
 * <ul>
 *   <li>a live coordinator says, with a layout in force that lacks the seat, that the seat's life holds nothing or was
 *       never taken (it can not take work any more, so the answer stays true);
 *   <li>that was recorded on the ComputeWorker while it was leaving, and no later life of the seat contradicts it;
 *   <li>no worker of the cluster ever ran since the last layout in force, which lacks the seat: nobody could have given
 *       it work.
 * </ul>
 */
final class RemovalProof {
    private final Snapshot snapshot;
    private final LayoutDecision layout;
    private final boolean nobodyRan;

    RemovalProof(Snapshot snapshot, LayoutDecision layout) {
        this.snapshot = snapshot;
        this.layout = layout;
        this.nobodyRan = snapshot.workers().keySet().stream()
                .map(seat -> snapshot.pods().get(seat))
                .allMatch(pod -> pod == null || PodFacts.neverStarted(pod));
    }

    /** Why the seat may be removed; empty if it may not. */
    Optional<Reason> of(ComputeWorker worker) {
        String seat = worker.getMetadata().getName();
        if (snapshot.statement().isPresent()) {
            return said(seat, snapshot.statement().get(), worker);
        }
        if (isRecorded(worker)) {
            return Optional.of(Reason.HOLDS_NOTHING);
        }
        boolean placed = layout.inForce().contains(seat);
        return nobodyRan && !placed && !wasTaken(worker) ? Optional.of(Reason.NEVER_STARTED) : Optional.empty();
    }

    private Optional<Reason> said(String seat, CoordinatorStatement statement, ComputeWorker worker) {
        Set<String> inForce = statement.layout().seats();
        if (inForce.contains(seat)) {
            return Optional.empty();
        }
        Optional<WorkerReport> report = statement.worker(seat);
        if (report.isEmpty()) {
            return Optional.of(Reason.NOT_TAKEN);
        }
        if (isRecorded(worker) && worker.getStatus().incarnation == report.get().incarnation()) {
            return Optional.of(Reason.HOLDS_NOTHING);
        }
        return report.get().drained() && isOfThisLife(seat, report.get())
                ? Optional.of(Reason.HOLDS_NOTHING)
                : Optional.empty();
    }

    /** A pod that started after what was reported may be about to take the seat: its own report is awaited. */
    private boolean isOfThisLife(String seat, WorkerReport report) {
        Pod pod = snapshot.pods().get(seat);
        return pod == null
                || PodFacts.neverStarted(pod)
                || pod.getMetadata().getUid().equals(report.podUid());
    }

    private static boolean wasTaken(ComputeWorker worker) {
        return worker.getStatus() != null && worker.getStatus().incarnation != 0;
    }

    private static boolean isRecorded(ComputeWorker worker) {
        Long generation = worker.getMetadata().getGeneration();
        return worker.getSpec().retire
                && worker.getStatus() != null
                && generation != null
                && worker.getStatus().conditions.stream()
                        .anyMatch(condition -> ConditionType.DRAINED.equals(condition.getType())
                                && "True".equals(condition.getStatus())
                                && generation.equals(condition.getObservedGeneration()));
    }
}
