/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.operator.status.Removal;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * Owns the one question before anything of a seat is removed: is it proved that nothing is lost? No answer means no.
 * The proofs are:
 *
 * <ul>
 *   <li>a live coordinator says, with a layout in force that lacks the seat, that the seat's life holds nothing or was
 *       never taken (it can not take work any more, so the answer stays true);
 *   <li>that was recorded on the ComputeWorker, and epoch, term and incarnation of the record are those of now: what
 *       was said of a dead process, or of a seat still in force, or by the coordinator of a store that is gone, says
 *       nothing about a later life;
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
    Optional<Removal> of(ComputeWorker worker) {
        String seat = worker.getMetadata().getName();
        Optional<Removal> recorded = Removal.recorded(worker);
        if (snapshot.clusterReport().isPresent()) {
            return said(seat, snapshot.clusterReport().get(), recorded);
        }
        // The coordinator may have put a later layout into force than the one that was recorded last, not an earlier.
        if (recorded.isPresent() && recorded.get().epoch() >= layout.epoch()) {
            return recorded;
        }
        boolean placed = layout.inForce().contains(seat);
        return nobodyRan && !placed && !wasTaken(worker)
                ? Optional.of(new Removal(Reason.NEVER_STARTED, layout.epoch(), 0, 0))
                : Optional.empty();
    }

    private Optional<Removal> said(String seat, CoordinatorReport clusterReport, Optional<Removal> recorded) {
        if (clusterReport.layout().seats().contains(seat)) {
            return Optional.empty();
        }
        long epoch = clusterReport.layout().epoch();
        Optional<WorkerReport> report = clusterReport.worker(seat);
        long incarnation = report.map(WorkerReport::incarnation).orElse(0L);
        Optional<Removal> holds = recorded.filter(proof ->
                proof.epoch() == epoch && proof.term() <= clusterReport.term() && proof.incarnation() == incarnation);
        if (holds.isPresent()) {
            return holds;
        }
        if (report.isEmpty()) {
            return Optional.of(new Removal(Reason.NOT_TAKEN, epoch, clusterReport.term(), 0));
        }
        return report.get().drained() && isOfThisLife(seat, report.get())
                ? Optional.of(new Removal(Reason.HOLDS_NOTHING, epoch, clusterReport.term(), incarnation))
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
}
