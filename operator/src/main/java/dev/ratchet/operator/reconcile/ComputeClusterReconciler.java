/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.operator.apply.ApiWriter;
import dev.ratchet.operator.apply.Applier;
import dev.ratchet.operator.apply.CachingWriter;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.CoordinatorObserver;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.ClusterPlanner;
import dev.ratchet.operator.plan.DeletionPlanner;
import dev.ratchet.operator.plan.Plan;
import dev.ratchet.operator.status.ClusterStatuses;
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
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owns the loop: observe, plan, apply, until nothing is left to do; tell the coordinator what is wanted; write the
 * status if it changed. Nothing here waits for a pod, a worker or an RPC: what is not there yet leads to another
 * reconcile when it comes.
 */
public final class ComputeClusterReconciler implements Reconciler<ComputeCluster>, Cleaner<ComputeCluster> {
    /** What one round makes possible the next one does; a plan that never ends is left to the next reconcile. */
    private static final int ROUNDS_MAX = 6;

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
    /** UID of each cluster known: what is remembered of one must not be told of another of the same name. */
    private final Map<ClusterKey, String> lives = new ConcurrentHashMap<>();

    /**
     * A reconciler for one process.
     *
     * @param coordinatorEvents must be told by {@code coordinators} of every change
     * @param instance name of this operator's pod, for Events
     */
    public ComputeClusterReconciler(
            KubernetesClient client,
            Settings settings,
            CertificateLives lives,
            CoordinatorObserver coordinators,
            CoordinatorEvents coordinatorEvents,
            String instance,
            InstantSource clock) {
        this(ReconcilerParts.of(client, settings, lives, coordinators, coordinatorEvents, instance, clock));
    }

    private ComputeClusterReconciler(ReconcilerParts parts) {
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
    }

    @Override
    public List<EventSource<?, ComputeCluster>> prepareEventSources(EventSourceContext<ComputeCluster> context) {
        List<EventSource<?, ComputeCluster>> sources = new ArrayList<>(EventSources.of(context, settings));
        sources.add(coordinatorEvents);
        return sources;
    }

    @Override
    public UpdateControl<ComputeCluster> reconcile(ComputeCluster cluster, Context<ComputeCluster> context) {
        recognize(cluster);
        Optional<String> objection = compatibility.objection(coordinators.statement(ClusterKey.of(cluster)));
        ApiWriter writer = writer(cluster, context);
        if (objection.isPresent()) {
            write(writer, cluster, degraded(cluster, Reason.NEWER_VERSION, objection.get()));
            return UpdateControl.<ComputeCluster>noUpdate().rescheduleAfter(CLEANUP_CHECK.multipliedBy(12));
        }
        Snapshot snapshot = snapshots.take(cluster, context);
        Plan plan = planner.plan(snapshot);
        int rounds = 1;
        while (applier.apply(plan.actions(), writer, snapshot::version) > 0 && rounds < ROUNDS_MAX) {
            snapshot = snapshots.take(cluster, context);
            plan = planner.plan(snapshot);
            rounds++;
        }
        track(snapshot, cluster.getSpec().paused ? Commands.NONE : plan.commands());
        write(writer, cluster, ClusterStatuses.of(snapshot, plan));
        return wake(snapshot.now(), plan, rounds == ROUNDS_MAX);
    }

    @Override
    public DeleteControl cleanup(ComputeCluster cluster, Context<ComputeCluster> context) {
        recognize(cluster);
        ApiWriter writer = writer(cluster, context);
        Snapshot snapshot = snapshots.take(cluster, context);
        Optional<String> objection = compatibility.objection(snapshot.statement());
        if (objection.isPresent()) {
            write(writer, cluster, degraded(cluster, Reason.NEWER_VERSION, objection.get()));
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(CLEANUP_CHECK);
        }
        DeletionPlanner.Step step = deletion.plan(snapshot);
        int rounds = 1;
        while (applier.apply(step.plan().actions(), writer, snapshot::version) > 0
                && !step.done()
                && rounds < ROUNDS_MAX) {
            snapshot = snapshots.take(cluster, context);
            step = deletion.plan(snapshot);
            rounds++;
        }
        if (step.done()) {
            forget(ClusterKey.of(cluster));
            return DeleteControl.defaultDelete();
        }
        track(snapshot, step.plan().commands());
        boolean blocked = snapshot.now().isAfter(DeletionPlanner.deadline(snapshot, step.plan()));
        write(writer, cluster, ClusterStatuses.deleting(snapshot, step.waitsFor(), blocked));
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(CLEANUP_CHECK);
    }

    @Override
    public ErrorStatusUpdateControl<ComputeCluster> updateErrorStatus(
            ComputeCluster cluster, Context<ComputeCluster> context, Exception failure) {
        String message = String.valueOf(failure.getMessage());
        ComputeClusterStatus status = degraded(
                cluster, Reason.RECONCILE_FAILED, message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX)));
        write(writer(cluster, context), cluster, status);
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    private ComputeClusterStatus degraded(ComputeCluster cluster, Reason reason, String message) {
        return ClusterStatuses.degraded(cluster, reason, message, snapshots.now());
    }

    private ApiWriter writer(ComputeCluster cluster, Context<ComputeCluster> context) {
        return new CachingWriter(context, () -> snapshots.requested(ClusterKey.of(cluster)));
    }

    private void track(Snapshot snapshot, Commands commands) {
        ClusterKey key = ClusterKey.of(snapshot.cluster());
        credentials
                .of(snapshot)
                .ifPresent(security -> coordinators.track(key, snapshot.endpoints(), security, commands));
    }

    private void recognize(ComputeCluster cluster) {
        ClusterKey key = ClusterKey.of(cluster);
        String uid = cluster.getMetadata().getUid();
        String before = lives.put(key, uid);
        if (before != null && !before.equals(uid)) {
            forget(key);
            lives.put(key, uid);
        }
    }

    private void forget(ClusterKey cluster) {
        lives.remove(cluster);
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

    private static UpdateControl<ComputeCluster> wake(Instant now, Plan plan, boolean unfinished) {
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
