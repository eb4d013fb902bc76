/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.layout.UpgradeDirection;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.Acceptance;
import dev.ratchet.operator.plan.LayoutDecision;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.plan.ReconcilePlan;
import dev.ratchet.operator.plan.Upgrade;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.status.PodTrouble;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Owns the conditions of a cluster. Their messages are fixed texts with names in them, never counts or times, so that
 * they do not flap.
 */
final class ClusterConditions {
    /** What others are at work on, and ends by itself. */
    private static final Set<Reason> PASSING =
            EnumSet.of(Reason.WAITING_FOR_CERTIFICATES, Reason.FORMER_CLUSTER_REMAINS, Reason.NAMESPACE_TERMINATING);

    private final Snapshot snapshot;
    private final ReconcilePlan plan;
    private final boolean allReady;
    private final boolean leaving;
    private final boolean storeSilent;
    private final boolean storeDown;
    private final Optional<String> trouble;

    private ClusterConditions(Snapshot snapshot, ReconcilePlan plan) {
        this.snapshot = snapshot;
        this.plan = plan;
        LayoutDecision layout = plan.layout();
        long ready = layout.wanted().stream()
                .map(seat -> snapshot.pods().get(seat))
                .filter(pod -> pod != null && PodFacts.isReady(pod))
                .count();
        this.allReady = ready >= needed(snapshot, layout);
        this.leaving = snapshot.workers().keySet().stream()
                .anyMatch(seat -> !layout.wanted().contains(seat));
        Pod store = snapshot.pods().get(Names.storePod(snapshot.name()));
        boolean embedded = plan.target().isPresent() && plan.target().get().isEmbedded();
        this.storeSilent = workers().anyMatch(pod -> !PodFacts.isReady(pod) && PodFacts.waitsForStore(pod));
        this.storeDown = embedded ? store == null || !PodFacts.isReady(store) : storeSilent;
        this.trouble = Stream.concat(Stream.ofNullable(store), workers())
                .filter(pod -> !PodFacts.isReady(pod))
                .map(PodTrouble::of)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** While workers are replaced there are more of them than wanted, or fewer where the spec allows it. */
    private static int needed(Snapshot snapshot, LayoutDecision layout) {
        ComputeClusterSpec spec = snapshot.cluster().getSpec();
        return layout.upgrade().isUnderWay()
                ? Math.min(layout.wanted().size(), spec.workers.replicas - spec.upgrade.maxUnavailable)
                : layout.wanted().size();
    }

    static void put(Conditions conditions, Snapshot snapshot, ReconcilePlan plan) {
        ClusterConditions made = new ClusterConditions(snapshot, plan);
        made.accepted(conditions);
        made.ready(conditions);
        made.progressing(conditions);
        made.degraded(conditions);
        made.layoutStable(conditions);
        made.upgradeBlocked(conditions);
    }

    private Stream<Pod> workers() {
        return plan.layout().wanted().stream()
                .map(seat -> snapshot.pods().get(seat))
                .filter(Objects::nonNull)
                .map(Pod.class::cast);
    }

    private void accepted(Conditions conditions) {
        Acceptance acceptance = plan.acceptance();
        String runs =
                acceptance.spec().isPresent() && !acceptance.isAccepted() ? "; the last good spec keeps running" : "";
        conditions.put(
                ConditionType.ACCEPTED, acceptance.isAccepted(), acceptance.reason(), acceptance.message() + runs);
    }

    private void ready(Conditions conditions) {
        Optional<Obstacle> blocked = plan.blocked();
        if (plan.target().isEmpty()) {
            conditions.put(ConditionType.READY, false, Reason.SPEC_NOT_ACCEPTED, "no spec was accepted yet");
        } else if (blocked.isPresent()
                && (!allReady || storeDown || blocked.get().stopsEverything())) {
            conditions.put(
                    ConditionType.READY,
                    false,
                    blocked.get().reason(),
                    blocked.get().message());
        } else if (storeDown) {
            conditions.put(
                    ConditionType.READY, false, Reason.WAITING_FOR_STORE, trouble.orElse("the store is not ready"));
        } else if (!allReady) {
            conditions.put(
                    ConditionType.READY,
                    false,
                    trouble.isPresent() ? Reason.PODS_CAN_NOT_START : Reason.WAITING_FOR_PODS,
                    trouble.orElse("not all workers are ready"));
        } else if (plan.layout().wanted().isEmpty()) {
            conditions.put(ConditionType.READY, true, Reason.NO_WORKERS_WANTED, "");
        } else {
            conditions.put(ConditionType.READY, true, Reason.ALL_WORKERS_READY, "");
        }
    }

    private void progressing(Conditions conditions) {
        if (snapshot.cluster().getSpec().paused) {
            conditions.put(ConditionType.PROGRESSING, false, Reason.PAUSED, "spec.paused is true: nothing is changed");
        } else if (plan.target().isEmpty()) {
            conditions.put(ConditionType.PROGRESSING, false, Reason.SPEC_NOT_ACCEPTED, "");
        } else if (stopped().isPresent()) {
            Reason reason = stopped().get();
            conditions.put(ConditionType.PROGRESSING, reason == Reason.FORMER_CLUSTER_REMAINS, reason, "");
        } else if (plan.layout().upgrade().isUnderWay()) {
            Reason reason = plan.layout()
                    .upgrade()
                    .progress()
                    .map(ClusterConditions::direction)
                    .orElse(Reason.UPGRADING);
            conditions.put(ConditionType.PROGRESSING, true, reason, updated());
        } else if (isChanging()) {
            boolean out = plan.layout().wanted().size() >= snapshot.workers().size();
            conditions.put(ConditionType.PROGRESSING, true, out ? Reason.SCALING_OUT : Reason.SCALING_IN, "");
        } else if (!allReady || storeDown) {
            conditions.put(ConditionType.PROGRESSING, true, Reason.STARTING, "");
        } else {
            conditions.put(ConditionType.PROGRESSING, false, Reason.STABLE, "");
        }
    }

    private void degraded(Conditions conditions) {
        Optional<Obstacle> blocked = plan.blocked().filter(obstacle -> !PASSING.contains(obstacle.reason()));
        if (blocked.isPresent()) {
            conditions.put(
                    ConditionType.DEGRADED,
                    true,
                    blocked.get().reason(),
                    blocked.get().message());
        } else if (trouble.isPresent()) {
            Reason reason = storeSilent ? Reason.WAITING_FOR_STORE : Reason.PODS_CAN_NOT_START;
            conditions.put(ConditionType.DEGRADED, true, reason, trouble.get());
        } else if (snapshot.surroundings().silenceTold().filter(this::isOver).isPresent()) {
            conditions.put(
                    ConditionType.DEGRADED,
                    true,
                    Reason.COORDINATOR_UNREACHABLE,
                    "no worker says what the workers hold, so none is removed");
        } else if (!allReady && !isChanging() && plan.target().isPresent()) {
            conditions.put(ConditionType.DEGRADED, true, Reason.WORKERS_MISSING, "not all workers are ready");
        } else {
            conditions.put(ConditionType.DEGRADED, false, Reason.STABLE, "");
        }
    }

    private boolean isOver(Instant time) {
        return !time.isAfter(snapshot.now());
    }

    private void layoutStable(Conditions conditions) {
        LayoutDecision layout = plan.layout();
        if (stopped().isPresent()) {
            conditions.put(ConditionType.LAYOUT_STABLE, false, stopped().get(), "");
        } else if (plan.target().isEmpty()) {
            conditions.put(ConditionType.LAYOUT_STABLE, false, Reason.SPEC_NOT_ACCEPTED, "");
        } else if (layout.waiting().isPresent()) {
            conditions.put(
                    ConditionType.LAYOUT_STABLE,
                    false,
                    layout.waiting().get(),
                    "which workers hold least is not known, so none is chosen to leave");
        } else if (isChanging()) {
            boolean committed = layout.create().isEmpty() && layout.proposal().isEmpty();
            conditions.put(ConditionType.LAYOUT_STABLE, false, committed ? Reason.DRAINING : Reason.PLANNED, "");
        } else {
            conditions.put(ConditionType.LAYOUT_STABLE, true, Reason.STABLE, "");
        }
    }

    private void upgradeBlocked(Conditions conditions) {
        Upgrade upgrade = plan.layout().upgrade();
        if (upgrade.blocked().isPresent()) {
            Obstacle by = upgrade.blocked().get();
            conditions.put(ConditionType.UPGRADE_BLOCKED, true, by.reason(), by.message());
        } else {
            Reason reason = upgrade.progress().map(ClusterConditions::direction).orElse(Reason.NO_UPGRADE);
            conditions.put(ConditionType.UPGRADE_BLOCKED, false, reason, "");
        }
    }

    /** @param missing names of slots that sessions wait for and no worker has; without any there is no condition */
    static void putSessionsBlocked(Conditions conditions, List<String> missing) {
        if (!missing.isEmpty()) {
            conditions.put(
                    ConditionType.SESSIONS_BLOCKED,
                    true,
                    Reason.NO_SUCH_SLOTS,
                    "sessions wait for slots that no worker has: " + String.join(", ", missing)
                            + "; add them to spec.workers.slots, or close the sessions, which ratchet sessions list"
                            + " shows");
        }
    }

    private static Reason direction(UpgradeProgress progress) {
        return progress.direction == UpgradeDirection.FORWARD ? Reason.UPGRADING : Reason.ROLLING_BACK;
    }

    /** How far it is; it changes with each step and no oftener. */
    private String updated() {
        return "updated "
                + ClusterStatuses.updated(snapshot, plan.layout().upgrade().update()) + "/"
                + snapshot.cluster().getSpec().workers.replicas;
    }

    private Optional<Reason> stopped() {
        return plan.blocked().filter(Obstacle::stopsEverything).map(Obstacle::reason);
    }

    private boolean isChanging() {
        return leaving
                || plan.layout().create().isPresent()
                || plan.layout().proposal().isPresent();
    }
}
