/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Owns what the layouts of a snapshot say: what is in force, as the coordinator says or as was recorded, what waits to
 * be, and what was wished last.
 */
final class LayoutView {
    private final Snapshot snapshot;
    private final WorkerRevisions revisions;
    private final List<LayoutFacts> layouts;
    private final long epoch;
    private final Set<String> inForceSeats;
    private final NavigableMap<String, String> inForce;
    private final Optional<LayoutFacts> newest;
    private final Optional<LayoutFacts> open;

    LayoutView(Snapshot snapshot, WorkerRevisions revisions) {
        this.snapshot = snapshot;
        this.revisions = revisions;
        this.layouts = LayoutFacts.of(snapshot.layouts());
        Optional<CoordinatorReport.InForce> said = snapshot.clusterReport().map(CoordinatorReport::layout);
        Optional<LayoutFacts> recorded =
                layouts.stream().filter(LayoutFacts::committed).reduce((earlier, later) -> later);
        this.epoch = said.map(CoordinatorReport.InForce::epoch)
                .orElseGet(() -> recorded.map(LayoutFacts::epoch).orElse(0L));
        this.inForceSeats = said.map(CoordinatorReport.InForce::seats)
                .orElseGet(() -> recorded.map(LayoutFacts::seats).orElse(Set.of()));
        this.inForce = members(inForceSeats);
        this.newest = layouts.stream()
                .filter(layout -> !layout.aborted() && layout.epoch() >= epoch)
                .reduce((earlier, later) -> later);
        this.open =
                newest.filter(layout -> layout.epoch() > epoch && layout.fromEpoch() == epoch && !layout.committed());
    }

    /** All layouts of the operator, by epoch. */
    List<LayoutFacts> all() {
        return layouts;
    }

    /** The epoch in force as far as is known; 0 before the first. */
    long epoch() {
        return epoch;
    }

    /** The seats in force as they are said, which may be foreign ones. */
    Set<String> inForceSeats() {
        return inForceSeats;
    }

    /** Revision of each seat in force. */
    NavigableMap<String, String> inForce() {
        return inForce;
    }

    /** What waits to be put into force. */
    Optional<LayoutFacts> open() {
        return open;
    }

    /** Seats of what waits to be put into force that are not in force, or with another revision. */
    Set<String> joiners() {
        return open.stream()
                .flatMap(layout -> layout.members().entrySet().stream())
                .filter(member -> !member.getValue().equals(inForce.get(member.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** What was wished last: the newest layout that was not given up, unless somebody put a later one into force. */
    NavigableMap<String, String> base() {
        NavigableMap<String, String> base = Seats.members();
        if (newest.isPresent()) {
            base.putAll(newest.get().members());
            return base;
        }
        if (epoch == 0) {
            return members(snapshot.workers().keySet());
        }
        base.putAll(inForce);
        base.keySet().removeIf(seat -> Seats.ordinal(seat) == Integer.MAX_VALUE);
        return base;
    }

    /** Progress of the newest layout that was not given up. */
    @Nullable
    UpgradeProgress carried() {
        return newest.map(LayoutFacts::upgrade).orElse(null);
    }

    /** Progress of the layout in force. */
    @Nullable
    UpgradeProgress carriedInForce() {
        return layoutInForce().map(LayoutFacts::upgrade).orElse(null);
    }

    /** Whether nothing is left to do for the layout in force, as was recorded. */
    boolean isInForceComplete() {
        return layoutInForce().map(LayoutFacts::complete).orElse(true);
    }

    /** When the layout in force was put into it, as was recorded; {@code now} if that was not recorded yet. */
    Instant since(Instant now) {
        return layoutInForce()
                .map(layout -> layout.resource().getStatus())
                .flatMap(status -> Conditions.find(status.conditions, ConditionType.COMMITTED))
                .filter(condition -> "True".equals(condition.getStatus()))
                .map(Condition::getLastTransitionTime)
                .map(Instant::parse)
                .orElse(now);
    }

    /** The epoch of the next proposal: higher than any before. */
    long nextEpoch() {
        long highest = layouts.stream().mapToLong(LayoutFacts::epoch).max().orElse(0);
        return Math.max(highest, epoch) + 1;
    }

    /** Whether a person lets the next proposal through. */
    boolean isApproved() {
        Map<String, String> annotations = snapshot.cluster().getMetadata().getAnnotations();
        return annotations != null && Long.toString(nextEpoch()).equals(annotations.get(Names.APPROVE_STEP_ANNOTATION));
    }

    /** Whether an earlier step of this walk was given up because no node had room. */
    boolean foundNoRoom(UpgradeGoal goal) {
        return layouts.stream()
                .filter(LayoutFacts::aborted)
                .filter(layout -> goal.isOf(layout.upgrade()))
                .map(layout -> layout.resource().getStatus().abort)
                .anyMatch(abort -> abort != null && abort.reason.equals(Reason.INSUFFICIENT_CAPACITY.word()));
    }

    /**
     * Why the newest step of this walk was given up, if it failed its gate: an operator that ended between recording
     * that and proposing the way back leaves it to the next one.
     */
    Optional<String> failedStep(UpgradeGoal goal) {
        return layouts.stream()
                .reduce((earlier, later) -> later)
                .filter(layout -> layout.aborted() && layout.epoch() > epoch && goal.isOf(layout.upgrade()))
                .map(layout -> layout.resource().getStatus().abort)
                .filter(abort -> abort != null && abort.reason.equals(Reason.UPGRADE_GATE_FAILED.word()))
                .map(abort -> abort.message);
    }

    boolean isInForce(LayoutFacts layout) {
        return layout.epoch() == epoch
                && snapshot.clusterReport()
                        .map(clusterReport -> clusterReport.layout().digest().equals(layout.digest()))
                        .orElse(layout.committed());
    }

    static Instant createdAt(LayoutFacts layout) {
        return Instant.parse(layout.resource().getMetadata().getCreationTimestamp());
    }

    private Optional<LayoutFacts> layoutInForce() {
        return layouts.stream().filter(this::isInForce).findFirst();
    }

    /** The seats with their revisions: those of the layout in force, if it is still here. */
    private NavigableMap<String, String> members(Set<String> seats) {
        Map<String, String> known = layoutInForce().map(LayoutFacts::members).orElse(Map.of());
        NavigableMap<String, String> members = Seats.members();
        for (String seat : seats) {
            ComputeWorker worker = snapshot.workers().get(seat);
            String recorded = worker == null ? revisions.update() : worker.getSpec().revision;
            members.put(seat, known.getOrDefault(seat, recorded));
        }
        return members;
    }
}
