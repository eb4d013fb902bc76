/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.ImageReplacement;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Owns which seats park because their process is about to be replaced by one that finds its files, and when that may
 * happen: once it is proved that the process has parked, or after the time that a drain has. The wish stands until the
 * next process works, so that others await it meanwhile; it ends with a pod that ends without a volume, because nothing
 * will be found then. Workers park only where all of them know what that is: one that does not would declare what is in
 * the files lost.
 */
final class Parking {
    private final Snapshot snapshot;
    private final LayoutDecision layout;
    private final WorkerRevisions revisions;
    private final long timeoutMillis;

    /** @param timeoutMillis after which a process is replaced that has not parked */
    Parking(Snapshot snapshot, LayoutDecision layout, WorkerRevisions revisions, long timeoutMillis) {
        this.snapshot = snapshot;
        this.layout = layout;
        this.revisions = revisions;
        this.timeoutMillis = timeoutMillis;
    }

    /** The seats that are to park, and which incarnation of each. */
    NavigableMap<String, Long> wanted() {
        NavigableMap<String, Long> parking = new TreeMap<>();
        layout.members().forEach((seat, revision) -> said(seat)
                .filter(report -> isUnderstood(report, revision))
                .flatMap(report -> incarnation(seat, revision, report))
                .ifPresent(incarnation -> parking.put(seat, incarnation)));
        return parking;
    }

    /** Whether the process of this pod may be replaced now. */
    boolean isOver(String seat, Pod pod, String revision) {
        return said(seat)
                .filter(report -> isOf(report, pod) && isWorking(report) && isUnderstood(report, revision))
                .filter(report -> !report.parked() && !report.drained())
                .filter(report -> awaitedUntil()
                        .filter(until -> snapshot.now().isBefore(until))
                        .isPresent())
                .isEmpty();
    }

    /** Until when a process may take to park. A step back that no layout proposes waits for nothing. */
    Optional<Instant> awaitedUntil() {
        return LayoutFacts.of(snapshot.layouts()).stream()
                .filter(facts -> layout.proposal()
                        .equals(Optional.of(facts.resource().getMetadata().getName())))
                .map(LayoutView::createdAt)
                .findFirst()
                .or(() -> layout.create().map(unused -> snapshot.now()))
                .map(since -> since.plusMillis(timeoutMillis));
    }

    private Optional<Long> incarnation(String seat, String revision, WorkerReport report) {
        Pod pod = snapshot.pods().get(seat);
        boolean hasVolume = snapshot.claims().containsKey(Names.claim(seat));
        if (pod == null || !isOf(report, pod)) {
            boolean isAwaited = hasVolume && layout.changing().contains(seat) && report.parked();
            return isAwaited ? Optional.of(report.incarnation()) : Optional.empty();
        }
        if ((PodFacts.isTerminating(pod) || PodFacts.isFinished(pod)) && !hasVolume) {
            return Optional.empty();
        }
        Optional<Long> replaced = ImageReplacement.of(pod).map(ImageReplacement::incarnation);
        if (!PodFacts.revision(pod).equals(revision)) {
            boolean isPossible = revisions
                    .change(PodFacts.revision(pod), revision)
                    .filter(change -> !change.isImpossible())
                    .isPresent();
            long newest = isWorking(report) ? report.incarnation() : replaced.orElse(report.incarnation());
            return isPossible ? Optional.of(newest) : Optional.empty();
        }
        return replaced.filter(before -> layout.changing().contains(seat))
                .filter(before -> report.incarnation() <= before || !isWorking(report));
    }

    private Optional<WorkerReport> said(String seat) {
        return snapshot.clusterReport().flatMap(clusterReport -> clusterReport.worker(seat));
    }

    private static boolean isOf(WorkerReport report, Pod pod) {
        return report.podUid().equals(pod.getMetadata().getUid());
    }

    /** A new process holds nothing before it has taken up what the former one has left. */
    private static boolean isWorking(WorkerReport report) {
        return report.state() != ReportedWorkerState.NEW && report.state() != ReportedWorkerState.MUST_DIE;
    }

    private boolean isUnderstood(WorkerReport report, String revision) {
        return snapshot.clusterReport().map(CoordinatorReport::workers).map(Map::values).stream()
                        .flatMap(reports -> reports.stream())
                        .allMatch(other -> other.parks() || other.state() == ReportedWorkerState.MUST_DIE)
                && !UpgradeRules.isEarlier(revisions.version(revision), report.version());
    }
}
