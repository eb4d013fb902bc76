/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.DeletionPolicy;
import dev.ratchet.operator.model.InPlaceChange;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.model.VolumeClaims;
import dev.ratchet.operator.model.WorkerPods;
import dev.ratchet.operator.model.WorkerResources;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.ImageReplacement;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.status.Removal;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Owns the seats: a seat that is wanted has a ComputeWorker, a certificate, a volume and a pod, in this order; a seat
 * that is not wanted leaves when it is proved that it holds nothing, in the opposite order. The proof is recorded
 * before anything is deleted, so that it survives the process and the coordinator.
 */
final class SeatPlanner {
    private final Snapshot snapshot;
    private final Target target;
    private final LayoutDecision layout;
    private final RemovalProof proof;
    private final CertificatePlanner certificates;
    private final PlanBuilder plan;
    private final WorkerRevisions revisions;
    private final Parking parking;

    SeatPlanner(
            Snapshot snapshot,
            Target target,
            LayoutDecision layout,
            WorkerRevisions revisions,
            Parking parking,
            CertificatePlanner certificates,
            PlanBuilder plan) {
        this.snapshot = snapshot;
        this.target = target;
        this.layout = layout;
        this.certificates = certificates;
        this.plan = plan;
        this.proof = new RemovalProof(snapshot, layout);
        this.revisions = revisions;
        this.parking = parking;
    }

    /** Plans every seat that is wanted or exists. */
    void plan() {
        NavigableSet<String> seats = Seats.copy(layout.wanted());
        seats.addAll(snapshot.workers().keySet());
        NavigableSet<String> without = withoutResource();
        without.removeAll(seats);
        without.forEach(this::leaveWithoutResource);
        for (String seat : seats) {
            ComputeWorker worker = snapshot.workers().get(seat);
            if (worker != null && worker.getMetadata().getDeletionTimestamp() != null) {
                continue;
            }
            if (layout.wanted().contains(seat)) {
                keep(seat);
            } else if (worker != null) {
                leave(seat, worker);
            }
        }
    }

    /** Seats of which something is there, whether they have a ComputeWorker or not. */
    private NavigableSet<String> withoutResource() {
        NavigableSet<String> seats = Seats.empty();
        Stream.concat(snapshot.pods().values().stream(), snapshot.secrets().values().stream())
                .map(object -> object.getMetadata().getLabels())
                .filter(labels -> labels != null && Names.POOL.equals(labels.get(Labels.POOL)))
                .map(labels -> labels.getOrDefault(Labels.SEAT, ""))
                .filter(seat -> Seats.ordinal(seat) != Integer.MAX_VALUE)
                .forEach(seats::add);
        return seats;
    }

    /**
     * Somebody deleted the ComputeWorker of a seat that was leaving. With a pod it gets one again, to leave as every
     * other; without, nothing is left to prove.
     */
    private void leaveWithoutResource(String seat) {
        if (snapshot.pods().containsKey(seat)) {
            certificates.keep(seat);
            resource(seat, PodFacts.revision(snapshot.pods().get(seat)), true);
        } else {
            remove(seat);
        }
    }

    private void keep(String seat) {
        String revision = layout.members().getOrDefault(seat, revisions.update());
        resource(seat, revision, false);
        if (!equip(seat)) {
            return;
        }
        Pod pod = snapshot.pods().get(seat);
        if (pod == null) {
            create(seat, revision);
        } else if (PodFacts.neverStarted(pod) && !PodFacts.revision(pod).equals(revision)) {
            plan.delete(pod);
        } else {
            if (!PodFacts.revision(pod).equals(revision) && !PodFacts.isTerminating(pod) && !PodFacts.isFinished(pod)) {
                change(seat, pod, revision);
            }
            replaceIfFinished(pod);
            forceIfLost(pod, false);
        }
    }

    /**
     * Makes the pod one of {@code revision} where it is, once its process has parked. That is told to end by the write
     * itself; one that has not parked in time hands over what it holds in memory, as at every end.
     */
    private void change(String seat, Pod pod, String revision) {
        Optional<InPlaceChange> change = revisions.change(PodFacts.revision(pod), revision);
        if (change.isEmpty() || (snapshot.clusterReport().isEmpty() && PodFacts.isReady(pod))) {
            return;
        }
        if (!change.get().isImpossible() && !parking.isOver(seat, pod, revision)) {
            parking.awaitedUntil().ifPresent(plan::wakeAt);
            return;
        }
        if (change.get().isOfImageAlone()) {
            ImageReplacement before = new ImageReplacement(
                    incarnation(seat), PodFacts.restarts(pod, Names.WORKER_CONTAINER), revisions.version(revision));
            plan.patch(
                    pod,
                    Names.WORKER_CONTAINER,
                    change.get().image(),
                    Map.of(Names.REVISION_ANNOTATION, revision, Names.REPLACED_ANNOTATION, before.text()));
        } else if (change.get().hasVolume()) {
            plan.delete(pod);
        }
    }

    /** The newest incarnation of the seat that anybody has said. */
    private long incarnation(String seat) {
        long said = snapshot.clusterReport()
                .flatMap(clusterReport -> clusterReport.worker(seat))
                .map(WorkerReport::incarnation)
                .orElse(0L);
        ComputeWorker worker = snapshot.workers().get(seat);
        long recorded = worker == null || worker.getStatus() == null ? 0 : worker.getStatus().incarnation;
        return Math.max(said, recorded);
    }

    private void leave(String seat, ComputeWorker worker) {
        String revision = worker.getSpec().revision;
        boolean marked = resource(seat, revision, true);
        // The proof was recorded with the statuses, which come before every deletion; it is about the marked
        // generation.
        Optional<Removal> proved = marked ? proof.of(worker) : Optional.empty();
        Pod pod = snapshot.pods().get(seat);
        if (proved.isEmpty() || pod != null) {
            certificates.keep(seat);
        }
        if (proved.isEmpty()) {
            // It may hold something: it needs a process to give that back.
            if (pod == null) {
                if (marked && equip(seat)) {
                    create(seat, revision);
                }
            } else {
                replaceIfFinished(pod);
                forceIfLost(pod, false);
            }
            return;
        }
        if (pod != null) {
            plan.delete(pod);
            forceIfLost(pod, true);
            return;
        }
        remove(seat);
        plan.delete(worker);
    }

    /** A revision that somebody deleted can not be made again; the seat gets the newest. */
    private void create(String seat, String revision) {
        revisions
                .kept(revisions.isKnown(revision) ? revision : revisions.update())
                .map(kept -> WorkerPods.pod(target, seat, kept))
                .map(pod -> layout.changing().contains(seat) ? WorkerPods.onNode(pod, host(seat)) : pod)
                .map(pod -> MountedVersions.annotated(snapshot, pod))
                .ifPresent(plan::create);
    }

    private String host(String seat) {
        ComputeWorker worker = snapshot.workers().get(seat);
        return worker == null || worker.getStatus() == null ? "" : worker.getStatus().host;
    }

    private void remove(String seat) {
        if (target.spec().workers.volumeRetention.whenScaled == DeletionPolicy.DELETE) {
            plan.delete(snapshot.claims().get(Names.claim(seat)));
        }
        certificates.remove(seat);
    }

    private void forceIfLost(Pod pod, boolean proved) {
        if (!PodFacts.isTerminating(pod)) {
            return;
        }
        if (LostPods.isLost(snapshot, pod) && (proved || LostPods.hasNoSeat(snapshot, pod))) {
            plan.force(pod);
        } else {
            plan.wakeAt(LostPods.lookAgain(snapshot, pod));
        }
    }

    private boolean resource(String seat, String revision, boolean retire) {
        return plan.apply(
                snapshot.workers().get(seat), WorkerResources.of(target, Seats.ordinal(seat), revision, retire));
    }

    /** Plans certificate and volume; tells whether the pod has all it needs. */
    private boolean equip(String seat) {
        boolean certified = certificates.worker(seat, Labels.seat(target.name(), Names.POOL, seat));
        VolumeClaims.worker(target, seat)
                .filter(claim ->
                        !snapshot.claims().containsKey(claim.getMetadata().getName()))
                .ifPresent(plan::create);
        return certified && snapshot.configs().containsKey(Names.config(target.name()));
    }

    /**
     * A pod that ended does not come back by itself; with a delay that grows, because its next life may end as well.
     */
    private void replaceIfFinished(Pod pod) {
        if (PodFacts.isFinished(pod)) {
            Instant from = snapshot.retryPods().getOrDefault(pod.getMetadata().getName(), snapshot.now());
            if (from.isAfter(snapshot.now())) {
                plan.wakeAt(from);
            } else {
                plan.delete(pod);
            }
        }
    }
}
