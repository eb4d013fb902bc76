/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.layout.Abort;
import dev.ratchet.crds.layout.ComputeLayoutSpec;
import dev.ratchet.crds.layout.ComputeLayoutStatus;
import dev.ratchet.crds.layout.LayoutOrigin;
import dev.ratchet.operator.model.LayoutResources;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Owns the progress of a ComputeLayout: Planned, Added (each seat has a pod), Committed (the coordinator said so),
 * Drained (each leaving seat holds nothing), Removed (no leaving seat is left), Stable (each seat's worker is ready,
 * and after the last step of an upgrade has passed its gate, so that what happens later is no fault of the upgrade).
 * Steps only go forward; the status mirrors what was observed and decides nothing.
 */
public final class LayoutStatuses {
    /** The steps without a circuit, in their order; "Aborted" stands beside them. */
    static final List<String> STEPS = List.of("Planned", "Added", "Committed", "Drained", "Removed", "Stable");

    private static final int COMMITTED = 2;
    private static final int STABLE = 5;

    private LayoutStatuses() {}

    /** The status to write; empty if what is there says the same. */
    public static Optional<ComputeLayout> changed(ComputeLayout layout, Snapshot snapshot, LayoutDecision decision) {
        ComputeLayoutStatus before = layout.getStatus() == null ? new ComputeLayoutStatus() : layout.getStatus();
        Long epoch = layout.getSpec().epoch;
        boolean finished = Conditions.isTrue(before.conditions, ConditionType.COMPLETE);
        if (layout.getSpec().origin != LayoutOrigin.OPERATOR || epoch == null || finished) {
            return Optional.empty();
        }
        ComputeLayoutStatus status = of(layout, epoch, before, snapshot, decision);
        if (status.equals(before)) {
            return Optional.empty();
        }
        ComputeLayout written = new ComputeLayout();
        // With its version: a status about an older object is refused, and made anew when the newer one arrives.
        written.setMetadata(layout.getMetadata());
        written.setSpec(layout.getSpec());
        written.setStatus(status);
        return Optional.of(written);
    }

    private static ComputeLayoutStatus of(
            ComputeLayout layout, long epoch, ComputeLayoutStatus before, Snapshot snapshot, LayoutDecision decision) {
        String now = Conditions.time(snapshot.now());
        String digest = LayoutResources.digest(layout);
        Optional<CoordinatorReport> commit = snapshot.clusterReport()
                .filter(clusterReport -> clusterReport.layout().epoch() == epoch
                        && clusterReport.layout().digest().equals(digest));
        boolean committed = commit.isPresent() || Conditions.isTrue(before.conditions, ConditionType.COMMITTED);
        Obstacle why = decision.aborts().get(layout.getMetadata().getName());
        boolean aborted = !committed && (why != null || Conditions.isTrue(before.conditions, ConditionType.ABORTED));
        boolean superseded = committed && decision.epoch() > epoch;
        ComputeLayoutStatus status = new ComputeLayoutStatus();
        status.observedGeneration = generation(layout);
        status.machine = machine(layout.getSpec());
        status.step = aborted ? "Aborted" : STEPS.get(step(layout.getSpec(), before, committed, snapshot, decision));
        status.attempt = layout.getSpec().upgrade == null ? 1 : layout.getSpec().upgrade.attempt;
        status.startedAt = before.startedAt.isEmpty() ? now : before.startedAt;
        status.stepStartedAt = status.step.equals(before.step) ? before.stepStartedAt : now;
        status.term = before.term == 0 ? commit.map(CoordinatorReport::term).orElse(0L) : before.term;
        status.bytes = committed ? Evacuations.of(layout.getSpec(), before.bytes, snapshot) : before.bytes;
        status.digest = digest;
        status.abort = aborted && before.abort == null ? abort(why) : committed ? null : before.abort;
        conditions(status, before, snapshot, committed, aborted, superseded);
        return status;
    }

    private static void conditions(
            ComputeLayoutStatus status,
            ComputeLayoutStatus before,
            Snapshot snapshot,
            boolean committed,
            boolean aborted,
            boolean superseded) {
        Conditions conditions = new Conditions(before.conditions, status.observedGeneration, snapshot.now());
        boolean stable = status.step.equals(STEPS.get(STABLE));
        Reason reason = superseded ? Reason.SUPERSEDED : stable ? Reason.COMPLETE : reason(status.step);
        conditions.put(ConditionType.COMMITTED, committed, committed ? Reason.COMMITTED : reason(status.step), "");
        conditions.put(ConditionType.COMPLETE, superseded || stable, reason, "");
        if (aborted) {
            conditions.put(
                    ConditionType.ABORTED, true, Reason.ABORTED, status.abort == null ? "" : status.abort.message);
        }
        status.conditions = conditions.list();
    }

    private static int step(
            ComputeLayoutSpec spec,
            ComputeLayoutStatus before,
            boolean committed,
            Snapshot snapshot,
            LayoutDecision decision) {
        Set<String> seats = spec.workers.stream().map(member -> member.seat).collect(Collectors.toSet());
        int reached = snapshot.pods().keySet().containsAll(seats) ? 1 : 0;
        if (committed) {
            Set<String> leaving = snapshot.workers().keySet().stream()
                    .filter(seat -> !seats.contains(seat))
                    .collect(Collectors.toSet());
            boolean drained = leaving.stream().allMatch(seat -> isRemovable(snapshot, seat));
            boolean removed = leaving.isEmpty();
            boolean ready = !decision.proving()
                    && seats.stream().allMatch(seat -> isReady(snapshot.pods().get(seat)));
            reached = !drained ? COMMITTED : !removed ? COMMITTED + 1 : !ready ? COMMITTED + 2 : STABLE;
        }
        return Math.max(reached, STEPS.indexOf(before.step));
    }

    private static boolean isRemovable(Snapshot snapshot, String seat) {
        return Optional.ofNullable(snapshot.workers().get(seat))
                .map(worker -> worker.getStatus())
                .map(status -> Conditions.isTrue(status.conditions, ConditionType.REMOVABLE))
                .orElse(false);
    }

    private static boolean isReady(@Nullable Pod pod) {
        return pod != null && PodFacts.isReady(pod);
    }

    private static Reason reason(String step) {
        return switch (step) {
            case "Planned" -> Reason.PLANNED;
            case "Added" -> Reason.COORDINATOR_UNREACHABLE;
            case "Committed" -> Reason.DRAINING;
            case "Drained" -> Reason.REMOVING;
            case "Removed" -> Reason.WAITING_FOR_PODS;
            case "Stable" -> Reason.COMPLETE;
            default -> Reason.ABORTED;
        };
    }

    private static Abort abort(@Nullable Obstacle why) {
        Abort abort = new Abort();
        abort.reason = (why == null ? Reason.SUPERSEDED : why.reason()).word();
        abort.message = why == null ? "" : why.message();
        return abort;
    }

    private static String machine(ComputeLayoutSpec spec) {
        if (spec.upgrade != null) {
            return "Upgrade";
        }
        return spec.mode.name().charAt(0) + spec.mode.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private static long generation(ComputeLayout layout) {
        return layout.getMetadata().getGeneration() == null
                ? 0
                : layout.getMetadata().getGeneration();
    }
}
