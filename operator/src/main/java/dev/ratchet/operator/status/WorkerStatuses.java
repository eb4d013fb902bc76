/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.worker.ComputeWorkerStatus;
import dev.ratchet.crds.worker.CoordinatorObservation;
import dev.ratchet.crds.worker.HoldingsSummary;
import dev.ratchet.crds.worker.PodSummary;
import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owns the status of a ComputeWorker. What a worker holds changes all the time while it works, so that is written only
 * together with something else, or while the worker leaves and people wait for it to reach zero.
 */
public final class WorkerStatuses {
    private WorkerStatuses() {}

    /**
     * The status to write; empty if what is there says the same.
     *
     * @param proved why the seat may be removed; empty if it may not or stays
     */
    public static Optional<ComputeWorker> changed(ComputeWorker worker, Snapshot snapshot, Optional<Removal> proved) {
        ComputeWorkerStatus before = worker.getStatus() == null ? new ComputeWorkerStatus() : worker.getStatus();
        ComputeWorkerStatus status = of(worker, before, snapshot, proved);
        boolean leaving = worker.getSpec().retire || Boolean.TRUE.equals(worker.getSpec().drain);
        if (essence(status, leaving).equals(essence(before, leaving))) {
            return Optional.empty();
        }
        ComputeWorker written = new ComputeWorker();
        // With its version: a status about an older object is refused, and made anew when the newer one arrives.
        written.setMetadata(worker.getMetadata());
        written.setSpec(worker.getSpec());
        written.setStatus(status);
        return Optional.of(written);
    }

    /** A status without what is written only together with something else, as text that can be compared. */
    private static String essence(ComputeWorkerStatus status, boolean leaving) {
        boolean ready = Conditions.isTrue(status.conditions, ConditionType.READY);
        String details = ready ? status.host + status.version + (status.pod == null ? "" : status.pod.image) : "";
        return status.conditions + " " + status.state + " " + status.incarnation + " " + status.observedGeneration + " "
                + status.shards + " "
                + (status.pod == null ? "" : status.pod.uid + status.pod.revision) + " " + details + " "
                + status.removalProof + " " + SlotSummaries.text(status.slots) + " "
                + (leaving ? status.holds : "");
    }

    private static ComputeWorkerStatus of(
            ComputeWorker worker, ComputeWorkerStatus before, Snapshot snapshot, Optional<Removal> proved) {
        String seat = worker.getMetadata().getName();
        long generation = worker.getMetadata().getGeneration() == null
                ? 0
                : worker.getMetadata().getGeneration();
        Pod pod = snapshot.pods().get(seat);
        Optional<WorkerReport> report = snapshot.clusterReport().flatMap(clusterReport -> clusterReport.worker(seat));
        ComputeWorkerStatus status = new ComputeWorkerStatus();
        status.observedGeneration = generation;
        status.state = report.map(WorkerReport::state).orElse(ReportedWorkerState.UNKNOWN);
        // Not of a worker that had the seat before this resource was there.
        status.incarnation = report.filter(found ->
                        pod != null && found.podUid().equals(pod.getMetadata().getUid()))
                .map(WorkerReport::incarnation)
                .orElse(before.incarnation);
        status.observed =
                snapshot.clusterReport().map(WorkerStatuses::observation).orElse(before.observed);
        status.pod = pod == null ? null : summary(pod);
        // Where its files are, also while it has no pod.
        status.host = pod == null || PodFacts.node(pod).isEmpty() ? before.host : PodFacts.node(pod);
        status.version = report.map(WorkerReport::version).orElse(before.version);
        status.shards = report.map(found -> (int) found.holds().shards()).orElse(0);
        status.holds = report.map(found -> holdings(found.holds())).orElse(before.holds);
        status.slots = report.map(found -> SlotSummaries.of(List.of(found))).orElse(before.slots);
        status.removalProof = proved.map(Removal::proof).orElse(null);
        status.conditions = conditions(worker, before, generation, snapshot, pod, report, proved);
        return status;
    }

    private static List<Condition> conditions(
            ComputeWorker worker,
            ComputeWorkerStatus before,
            long generation,
            Snapshot snapshot,
            @Nullable Pod pod,
            Optional<WorkerReport> report,
            Optional<Removal> proved) {
        Conditions conditions = new Conditions(before.conditions, generation, snapshot.now());
        if (pod != null && PodFacts.isReady(pod)) {
            conditions.put(ConditionType.READY, true, Reason.HEALTHY, "");
        } else {
            conditions.put(
                    ConditionType.READY,
                    false,
                    report.map(WorkerReport::state).map(WorkerStatuses::reason).orElse(Reason.WAITING_FOR_PODS),
                    pod == null ? "" : PodTrouble.of(pod).orElse(""));
        }
        drained(conditions, report);
        conditions.put(
                ConditionType.REMOVABLE,
                proved.isPresent(),
                proved.map(Removal::reason).orElse(worker.getSpec().retire ? Reason.HOLDS_WORK : Reason.STAYS),
                "");
        return conditions.list();
    }

    private static void drained(Conditions conditions, Optional<WorkerReport> report) {
        if (report.isEmpty()) {
            conditions.putUnknown(ConditionType.DRAINED, Reason.UNKNOWN, "");
        } else if (report.get().drained()) {
            conditions.put(ConditionType.DRAINED, true, Reason.HOLDS_NOTHING, "");
        } else {
            conditions.put(ConditionType.DRAINED, false, Reason.HOLDS_WORK, awaited(report.get()));
        }
    }

    /** What a drain waits for once nothing runs any more. */
    private static String awaited(WorkerReport report) {
        long objects = report.holds().objects();
        return report.state() == ReportedWorkerState.DRAINING && report.holds().futures() == 0 && objects > 0
                ? "no other worker has taken " + objects + " of its objects yet; what can not be computed again stays"
                        + " until one with room does, or its future is deleted"
                : "";
    }

    private static Reason reason(ReportedWorkerState state) {
        return switch (state) {
            case UNKNOWN -> Reason.UNKNOWN;
            case NEW -> Reason.NEW;
            case UNHEALTHY -> Reason.UNHEALTHY;
            case HEALTHY -> Reason.WAITING_FOR_PODS;
            case DRAINING -> Reason.DRAINING;
            case MUST_DIE -> Reason.MUST_DIE;
        };
    }

    private static CoordinatorObservation observation(CoordinatorReport clusterReport) {
        CoordinatorObservation observation = new CoordinatorObservation();
        observation.term = clusterReport.term();
        observation.seq = clusterReport.seq();
        return observation;
    }

    private static PodSummary summary(Pod pod) {
        PodSummary summary = new PodSummary();
        summary.name = pod.getMetadata().getName();
        summary.uid = pod.getMetadata().getUid();
        summary.revision = PodFacts.revision(pod);
        summary.image = PodFacts.image(pod);
        return summary;
    }

    private static HoldingsSummary holdings(WorkerReport.Held held) {
        HoldingsSummary holdings = new HoldingsSummary();
        holdings.futures = Math.toIntExact(held.futures());
        holdings.objects = held.objects();
        holdings.actors = Math.toIntExact(held.actors());
        holdings.sessions = Math.toIntExact(held.sessions());
        return holdings;
    }
}
