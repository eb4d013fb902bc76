/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.operator.apply.ApiWriter;
import dev.ratchet.operator.apply.Applier;
import dev.ratchet.operator.apply.ApplyOutcome;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.CoordinatorObserver;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.ClusterPlanner;
import dev.ratchet.operator.plan.DeletionPlanner;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.plan.ReconcilePlan;
import dev.ratchet.operator.status.EventRecorder;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the loop: observe, plan, apply, until nothing is left to do; tell the coordinator what is wanted; write the
 * status if it changed. Nothing here waits for a pod, a worker or an RPC: what is not there yet leads to another
 * reconcile when it comes.
 */
public final class ComputeClusterReconciler implements Reconciler<ComputeCluster>, Cleaner<ComputeCluster> {
    /** What one round makes possible the next one does; a plan that never ends is left to the next reconcile. */
    private static final int ROUNDS_MAX = 6;

    private static final Logger LOG = LoggerFactory.getLogger(ComputeClusterReconciler.class);
    private static final Duration OBJECTION_CHECK = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration CLEANUP_CHECK = Duration.ofSeconds(5);
    private static final int MESSAGE_LENGTH_MAX = 1000;

    private final ClusterPlanner planner;
    private final DeletionPlanner deletion;
    private final Settings settings;
    private final Snapshots snapshots;
    private final Applier applier;
    private final CoordinatorObserver coordinators;
    private final OperatorCredentials credentials;
    private final CoordinatorEvents coordinatorEvents;
    private final Compatibility compatibility;
    private final EventRecorder events;
    private final Watchdog watchdog;
    private final BiFunction<ComputeCluster, Context<ComputeCluster>, ApiWriter> writers;
    /** UID of each cluster known: what is remembered of one must not be told of another of the same name. */
    private final Map<ClusterKey, String> lives = new ConcurrentHashMap<>();
    /** UIDs of clusters whose namespace is being deleted, as the API server said; it does not come back. */
    private final Set<String> endingNamespaces = ConcurrentHashMap.newKeySet();

    /**
     * A reconciler for one process.
     *
     * @param coordinatorEvents must be told by {@code coordinators} of every change
     * @param instance name of this operator's pod, for Events
     * @param watchdog is told that reconciles go on
     */
    public ComputeClusterReconciler(
            KubernetesClient client,
            Settings settings,
            CertificateLives lives,
            CoordinatorObserver coordinators,
            CoordinatorEvents coordinatorEvents,
            String instance,
            Compatibility compatibility,
            Watchdog watchdog,
            InstantSource clock) {
        this(ReconcilerParts.of(
                client, settings, lives, coordinators, coordinatorEvents, instance, compatibility, watchdog, clock));
    }

    ComputeClusterReconciler(ReconcilerParts parts) {
        this.planner = parts.planner();
        this.deletion = new DeletionPlanner(parts.planner());
        this.settings = parts.settings();
        this.snapshots = parts.snapshots();
        this.applier = parts.applier();
        this.coordinators = parts.coordinators();
        this.credentials = parts.credentials();
        this.coordinatorEvents = parts.coordinatorEvents();
        this.compatibility = parts.compatibility();
        this.events = parts.events();
        this.watchdog = parts.watchdog();
        this.writers = parts.writers();
    }

    @Override
    public List<EventSource<?, ComputeCluster>> prepareEventSources(EventSourceContext<ComputeCluster> context) {
        List<EventSource<?, ComputeCluster>> sources = new ArrayList<>(EventSources.of(context, settings));
        sources.add(coordinatorEvents);
        return sources;
    }

    @Override
    public UpdateControl<ComputeCluster> reconcile(ComputeCluster cluster, Context<ComputeCluster> context) {
        return watched(cluster, () -> work(cluster, context));
    }

    private UpdateControl<ComputeCluster> work(ComputeCluster cluster, Context<ComputeCluster> context) {
        recognize(cluster);
        ApiWriter writer = writers.apply(cluster, context);
        Optional<Obstacle> objection = compatibility.objection(coordinators.clusterReport(ClusterKey.of(cluster)));
        if (objection.isPresent()) {
            write(writer, cluster, degraded(cluster, objection.get()));
            return UpdateControl.<ComputeCluster>noUpdate().rescheduleAfter(OBJECTION_CHECK);
        }
        Snapshot snapshot = take(cluster, context);
        ReconcilePlan plan = planner.plan(snapshot);
        // First, because it needs no write: what the workers hold must be known whatever the API server refuses.
        track(snapshot, wishes(cluster, plan).withoutCommit());
        ApplyOutcome outcome = apply(snapshot, plan, writer);
        int rounds = 1;
        while (leavesMore(outcome) && rounds < ROUNDS_MAX) {
            snapshot = take(cluster, context);
            plan = planner.plan(snapshot);
            outcome = apply(snapshot, plan, writer);
            rounds++;
        }
        track(snapshot, wishes(cluster, plan));
        plan = outcome.onto(plan);
        write(writer, cluster, ClusterStatuses.of(snapshot, plan));
        return wake(snapshot.now(), plan, rounds == ROUNDS_MAX);
    }

    @Override
    public DeleteControl cleanup(ComputeCluster cluster, Context<ComputeCluster> context) {
        return watched(cluster, () -> end(cluster, context));
    }

    private DeleteControl end(ComputeCluster cluster, Context<ComputeCluster> context) {
        recognize(cluster);
        ApiWriter writer = writers.apply(cluster, context);
        if (writer.namespaceEnds(cluster.getMetadata().getNamespace())) {
            noteEndingNamespace(cluster);
        }
        Snapshot snapshot = take(cluster, context);
        Optional<Obstacle> objection = compatibility.objection(snapshot.clusterReport());
        if (objection.isPresent()) {
            write(writer, cluster, degraded(cluster, objection.get()));
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(CLEANUP_CHECK);
        }
        DeletionPlanner.Step step = deletion.plan(snapshot);
        track(snapshot, step.plan().commands().withoutCommit());
        ApplyOutcome outcome = apply(snapshot, step.plan(), writer);
        int rounds = 1;
        while (leavesMore(outcome) && !step.done() && rounds < ROUNDS_MAX) {
            snapshot = take(cluster, context);
            step = deletion.plan(snapshot);
            outcome = apply(snapshot, step.plan(), writer);
            rounds++;
        }
        if (step.done() && outcome.refusals().isEmpty()) {
            if (!step.leftBehind().isEmpty()) {
                LOG.warn("cluster {} is gone, but {}", ClusterKey.of(cluster), step.leftBehind());
            }
            forget(ClusterKey.of(cluster));
            return DeleteControl.defaultDelete();
        }
        track(snapshot, step.plan().commands());
        boolean blocked = snapshot.now().isAfter(DeletionPlanner.deadline(snapshot, step.plan()));
        String refused = outcome.refusals().isEmpty() ? "" : "; " + outcome.explain();
        write(writer, cluster, ClusterStatuses.deleting(snapshot, step.waitsFor() + refused, blocked));
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(CLEANUP_CHECK);
    }

    private <T> T watched(ComputeCluster cluster, Supplier<T> work) {
        ClusterKey key = ClusterKey.of(cluster);
        watchdog.goesOn(key);
        try {
            return work.get();
        } finally {
            watchdog.ended(key);
        }
    }

    private Snapshot take(ComputeCluster cluster, Context<ComputeCluster> context) {
        return snapshots.take(cluster, context, endingNamespaces.contains(uid(cluster)));
    }

    private ApplyOutcome apply(Snapshot snapshot, ReconcilePlan plan, ApiWriter writer) {
        ApplyOutcome outcome = applier.apply(plan.actions(), writer, snapshot::version);
        if (outcome.namespaceEnds()) {
            noteEndingNamespace(snapshot.cluster());
        }
        return outcome;
    }

    private void noteEndingNamespace(ComputeCluster cluster) {
        if (endingNamespaces.add(uid(cluster))) {
            LOG.info(
                    "namespace {} is being deleted; nothing is made in it any more",
                    cluster.getMetadata().getNamespace());
        }
    }

    private static boolean leavesMore(ApplyOutcome outcome) {
        return outcome.writes() > 0 || outcome.namespaceEnds();
    }

    private static Commands wishes(ComputeCluster cluster, ReconcilePlan plan) {
        return cluster.getSpec().paused ? Commands.NONE : plan.commands();
    }

    private static String uid(ComputeCluster cluster) {
        return cluster.getMetadata().getUid();
    }

    @Override
    public ErrorStatusUpdateControl<ComputeCluster> updateErrorStatus(
            ComputeCluster cluster, Context<ComputeCluster> context, Exception failure) {
        String message = String.valueOf(failure.getMessage());
        Obstacle obstacle = new Obstacle(
                Reason.RECONCILE_FAILED, message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX)));
        write(writers.apply(cluster, context), cluster, degraded(cluster, obstacle));
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    private ComputeClusterStatus degraded(ComputeCluster cluster, Obstacle obstacle) {
        return ClusterStatuses.degraded(cluster, obstacle.reason(), obstacle.message(), snapshots.now());
    }

    private void track(Snapshot snapshot, Commands commands) {
        ClusterKey key = ClusterKey.of(snapshot.cluster());
        credentials
                .of(snapshot)
                .ifPresent(security -> coordinators.track(key, snapshot.endpoints(), security, commands));
    }

    private void recognize(ComputeCluster cluster) {
        ClusterKey key = ClusterKey.of(cluster);
        String uid = uid(cluster);
        String before = lives.put(key, uid);
        if (before != null && !before.equals(uid)) {
            forget(key);
            lives.put(key, uid);
        }
    }

    private void forget(ClusterKey cluster) {
        String uid = lives.remove(cluster);
        if (uid != null) {
            endingNamespaces.remove(uid);
        }
        coordinators.forget(cluster);
        credentials.forget(cluster);
        snapshots.forget(cluster);
    }

    private void write(ApiWriter writer, ComputeCluster cluster, ComputeClusterStatus status) {
        ComputeClusterStatus before = ClusterStatuses.before(cluster);
        if (!status.equals(before)) {
            events.record(cluster, before.conditions, status.conditions, snapshots.now());
            writer.writePrimaryStatus(withStatus(cluster, status));
        }
    }

    private static ComputeCluster withStatus(ComputeCluster cluster, ComputeClusterStatus status) {
        ComputeCluster written = new ComputeCluster();
        written.setMetadata(cluster.getMetadata());
        written.setSpec(cluster.getSpec());
        written.setStatus(status);
        return written;
    }

    private static UpdateControl<ComputeCluster> wake(Instant now, ReconcilePlan plan, boolean unfinished) {
        UpdateControl<ComputeCluster> control = UpdateControl.noUpdate();
        if (unfinished) {
            return control.rescheduleAfter(SOON);
        }
        plan.wakeAt().ifPresent(at -> {
            Duration delay = Duration.between(now, at);
            control.rescheduleAfter(delay.compareTo(SOON) < 0 ? SOON : delay);
        });
        return control;
    }
}
