/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.DeletionPolicy;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.model.ClearPods;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Owns the order of a cluster's end: workers, then the data in a store that is not ours, then the store, then volumes,
 * then the resource itself. Where data stays, workers leave as in a scale-in to 0, each with its proof; where
 * everything goes, nothing is worth waiting for. A step that does not come to its end names what it waits for, and a
 * person can give it up.
 */
public final class DeletionPlanner {
    /** Enough to end in order where nothing is kept. */
    private static final long GRACE_SECONDS = 10;

    private final ClusterPlanner planner;

    public DeletionPlanner(ClusterPlanner planner) {
        this.planner = planner;
    }

    /**
     * One step of the end.
     *
     * @param plan what to do now
     * @param done whether the resource may go
     * @param waitsFor what the next step waits for
     * @param leftBehind what stays in a store though it should go, and what a person can do about it; "" for nothing
     */
    public record Step(ReconcilePlan plan, boolean done, String waitsFor, String leftBehind) {}

    /** What to do now. */
    public Step plan(Snapshot snapshot) {
        Acceptance acceptance = planner.judge(snapshot);
        PlanBuilder plan = new PlanBuilder();
        if (isAbandoned(snapshot)) {
            snapshot.pods().values().forEach(pod -> plan.delete(pod, OptionalLong.of(GRACE_SECONDS)));
            snapshot.certificates().byName().values().forEach(plan::delete);
            snapshot.secrets().values().stream()
                    .filter(CertificateRequests::made)
                    .forEach(plan::delete);
            return step(plan, acceptance, Optional.empty(), true, "");
        }
        // A spec that was never accepted made nothing.
        ComputeClusterSpec spec =
                acceptance.spec().orElseGet(() -> snapshot.cluster().getSpec());
        Target target = Target.of(snapshot.cluster(), spec, planner.settings());
        Optional<String> stranger = StoreGuard.stranger(snapshot, spec);
        if (stranger.isPresent()) {
            return step(plan, acceptance, Optional.of(target), false, StoreGuard.awaited(stranger.get()));
        }
        boolean keeps = keepsWorkerData(snapshot.cluster().getSpec(), spec);
        if (snapshot.surroundings().namespaceEnds()) {
            return endWithNamespace(snapshot, acceptance, target, keeps && !target.isEmbedded());
        }
        if (keeps && !snapshot.workers().isEmpty()) {
            ReconcilePlan emptying = planner.planEmpty(snapshot, acceptance, target);
            return new Step(emptying, false, "the workers to give back what they hold", "");
        }
        return end(snapshot, acceptance, target, plan);
    }

    /**
     * Pods, volumes and an embedded store go with the namespace, whatever they hold, so nothing is proved and no pod is
     * made, which would be refused. Only to what stays, in a store elsewhere, the workers may give back what they hold,
     * in the time that they are given to end.
     */
    private static Step endWithNamespace(
            Snapshot snapshot, Acceptance acceptance, Target target, boolean staysElsewhere) {
        PlanBuilder plan = new PlanBuilder();
        String clear = ClearPods.name(target.name());
        List<Pod> pods = snapshot.pods().values().stream()
                .filter(pod -> !pod.getMetadata().getName().equals(clear))
                .toList();
        for (Pod pod : pods) {
            if (LostPods.isLost(snapshot, pod)) {
                plan.force(pod);
            } else if (staysElsewhere) {
                plan.delete(pod);
            } else {
                plan.hasten(pod, GRACE_SECONDS);
            }
        }
        if (!pods.isEmpty()) {
            return step(plan, acceptance, Optional.of(target), false, "the pods to end");
        }
        boolean leaves = !target.isEmbedded()
                && acceptance.spec().isPresent()
                && snapshot.cluster().getSpec().deletionPolicy == DeletionPolicy.DELETE
                && !isSucceeded(snapshot.pods().get(clear));
        ReconcilePlan nothing = plan.build(acceptance, Optional.of(target), Commands.NONE, LayoutDecision.NONE);
        String leftBehind = leaves
                ? "the subspace " + target.subspace() + " of the FoundationDB store was not cleared, because no pod"
                        + " can be made in a namespace that is being deleted; to clear it, create the cluster again in"
                        + " a namespace of this name and delete it"
                : "";
        return new Step(nothing, true, "", leftBehind);
    }

    /** When a person should hear that the end is blocked. */
    public static Instant deadline(Snapshot snapshot, ReconcilePlan plan) {
        long millis = plan.target()
                .map(target -> target.spec().workers.drainTimeoutMillis)
                .orElse(snapshot.cluster().getSpec().workers.drainTimeoutMillis);
        return Instant.parse(snapshot.cluster().getMetadata().getDeletionTimestamp())
                .plus(Duration.ofMillis(millis));
    }

    private Step end(Snapshot snapshot, Acceptance acceptance, Target target, PlanBuilder plan) {
        ComputeClusterSpec newest = snapshot.cluster().getSpec();
        String storePod = Names.storePod(target.name());
        String clearPod = ClearPods.name(target.name());
        List<Pod> workers = snapshot.pods().values().stream()
                .filter(pod -> !pod.getMetadata().getName().equals(storePod)
                        && !pod.getMetadata().getName().equals(clearPod))
                .toList();
        if (!workers.isEmpty()) {
            workers.forEach(pod -> {
                plan.hasten(pod, GRACE_SECONDS);
                forceIfLost(snapshot, pod, plan);
            });
            return step(plan, acceptance, Optional.of(target), false, "the worker pods to end");
        }
        boolean clears = !target.isEmbedded()
                && newest.deletionPolicy == DeletionPolicy.DELETE
                && acceptance.spec().isPresent();
        Pod clear = snapshot.pods().get(clearPod);
        if (clears && !isSucceeded(clear)) {
            if (clear == null) {
                plan.create(ClearPods.pod(target));
            } else if (PodFacts.isFinished(clear)) {
                plan.delete(clear);
            }
            return step(plan, acceptance, Optional.of(target), false, "pod " + clearPod + " to clear the store");
        }
        Pod store = snapshot.pods().get(storePod);
        if (store != null) {
            plan.delete(store);
            forceIfLost(snapshot, store, plan);
            return step(plan, acceptance, Optional.of(target), false, "the store pod to end");
        }
        if (!snapshot.certificates().byName().isEmpty()) {
            snapshot.certificates().byName().values().forEach(plan::delete);
            return step(plan, acceptance, Optional.of(target), false, "the Certificates of cert-manager to go");
        }
        // They belong to nobody, and come back while their Certificates are there.
        snapshot.secrets().values().stream().filter(CertificateRequests::made).forEach(plan::delete);
        snapshot.claims().values().stream()
                .filter(claim -> goes(claim, storePod, newest))
                .forEach(plan::delete);
        // A cluster that is created again under this name must not meet what belongs to this one.
        List<HasMetadata> owned =
                snapshot.owned().stream().filter(object -> object != clear).toList();
        owned.forEach(plan::delete);
        if (!owned.isEmpty()) {
            return step(plan, acceptance, Optional.of(target), false, Snapshot.title(owned.get(0)) + " to go");
        }
        // The last, because its absence would mean that the store is to be cleared.
        plan.delete(clear);
        return step(plan, acceptance, Optional.of(target), true, "");
    }

    /** Where data stays, a volume may still be in use on a node that nobody hears of. */
    private static void forceIfLost(Snapshot snapshot, Pod pod, PlanBuilder plan) {
        boolean retained = snapshot.cluster().getSpec().deletionPolicy == DeletionPolicy.RETAIN;
        if (LostPods.isLost(snapshot, pod) && !retained) {
            plan.force(pod);
        }
    }

    private static boolean goes(PersistentVolumeClaim claim, String storePod, ComputeClusterSpec spec) {
        boolean isStores = claim.getMetadata().getName().equals(Names.claim(storePod));
        return spec.deletionPolicy == DeletionPolicy.DELETE
                && (isStores || spec.workers.volumeRetention.whenDeleted == DeletionPolicy.DELETE);
    }

    /** The policies of the newest spec count, accepted or not: they say what its writer wants kept. */
    private static boolean keepsWorkerData(ComputeClusterSpec newest, ComputeClusterSpec effective) {
        return newest.deletionPolicy == DeletionPolicy.RETAIN
                || (effective.workers.storage != null
                        && newest.workers.volumeRetention.whenDeleted == DeletionPolicy.RETAIN);
    }

    private static boolean isAbandoned(Snapshot snapshot) {
        return snapshot.cluster().getMetadata().getAnnotations() != null
                && "true"
                        .equals(snapshot.cluster()
                                .getMetadata()
                                .getAnnotations()
                                .get(Names.ABANDON_ANNOTATION));
    }

    private static boolean isSucceeded(@Nullable Pod pod) {
        return pod != null && PodFacts.hasSucceeded(pod);
    }

    private static Step step(
            PlanBuilder plan, Acceptance acceptance, Optional<Target> target, boolean done, String waitsFor) {
        return new Step(plan.build(acceptance, target, Commands.NONE, LayoutDecision.NONE), done, waitsFor, "");
    }
}
