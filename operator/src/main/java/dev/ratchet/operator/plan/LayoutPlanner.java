/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.layout.LayoutReason;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.CoordinatorStatement;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.LayoutDecision.Proposal;
import dev.ratchet.operator.status.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/**
 * Owns the proposals of layouts. The coordinator decides what is in force, by compare-and-set; here is only what to
 * propose next. At most one proposal is open; one that no longer is wanted, or no longer follows the epoch in force, is
 * given up and replaced by a later epoch. Epochs are never used twice, so a commit that arrives late can not put the
 * wrong seats into force unnoticed.
 */
final class LayoutPlanner {
    private final Snapshot snapshot;
    private final List<LayoutFacts> layouts;
    private final WorkerRevisions revisions;
    private final long epoch;
    private final Set<String> inForce;

    LayoutPlanner(Snapshot snapshot, WorkerRevisions revisions) {
        this.snapshot = snapshot;
        this.revisions = revisions;
        this.layouts = LayoutFacts.of(snapshot.layouts());
        Optional<CoordinatorStatement.InForce> said = snapshot.statement().map(CoordinatorStatement::layout);
        Optional<LayoutFacts> recorded =
                layouts.stream().filter(LayoutFacts::committed).reduce((earlier, later) -> later);
        this.epoch = said.map(CoordinatorStatement.InForce::epoch)
                .orElseGet(() -> recorded.map(LayoutFacts::epoch).orElse(0L));
        this.inForce = said.map(CoordinatorStatement.InForce::seats)
                .orElseGet(() -> recorded.map(LayoutFacts::seats).orElse(Set.of()));
    }

    LayoutDecision decide(int replicas) {
        NavigableMap<String, String> base = base();
        Optional<NavigableSet<String>> chosen = new SeatChooser(snapshot).choose(Seats.copy(base.keySet()), replicas);
        NavigableMap<String, String> wanted = Seats.members();
        chosen.orElse(base.navigableKeySet()).forEach(seat -> wanted.put(seat, revision(seat, base)));
        Map<String, String> aborts = new HashMap<>();
        Optional<LayoutFacts> proposal = openProposal(wanted, aborts);
        Optional<Proposal> create =
                proposal.isPresent() || isReached(wanted) ? Optional.empty() : Optional.of(next(wanted));
        return new LayoutDecision(
                epoch,
                inForce,
                wanted,
                proposal.map(open -> open.resource().getMetadata().getName()),
                create,
                aborts,
                chosen.isPresent() ? Optional.empty() : Optional.of(Reason.COORDINATOR_UNREACHABLE),
                new Upgrade(current(wanted), revisions.update()));
    }

    /** A seat that a process ever took keeps its revision; whichever pod takes a seat first may be the newest. */
    private String revision(String seat, Map<String, String> base) {
        ComputeWorker worker = snapshot.workers().get(seat);
        String before = base.getOrDefault(seat, worker == null ? "" : worker.getSpec().revision);
        boolean stays = revisions.isKnown(before) && WorkerFacts.wasTaken(snapshot, seat);
        return stays ? before : revisions.update();
    }

    private String current(NavigableMap<String, String> wanted) {
        return wanted.isEmpty() ? revisions.update() : wanted.firstEntry().getValue();
    }

    /** While no layout at all is in force every worker that lives works: to have none takes a layout as well. */
    private boolean isReached(Map<String, String> wanted) {
        boolean nobodyWorks =
                snapshot.statement().isEmpty() || snapshot.workers().isEmpty();
        return wanted.equals(members(inForce)) && (epoch > 0 || nobodyWorks);
    }

    /** The seats in force with their revisions: those of the layout that is in force, if it is still here. */
    private NavigableMap<String, String> members(Set<String> seats) {
        Map<String, String> known = layouts.stream()
                .filter(this::isInForce)
                .findFirst()
                .map(LayoutFacts::members)
                .orElse(Map.of());
        NavigableMap<String, String> members = Seats.members();
        for (String seat : seats) {
            ComputeWorker worker = snapshot.workers().get(seat);
            String recorded = worker == null ? revisions.update() : worker.getSpec().revision;
            members.put(seat, known.getOrDefault(seat, recorded));
        }
        return members;
    }

    /** What was wished last: the newest layout that was not given up, unless somebody put a later one into force. */
    private NavigableMap<String, String> base() {
        Optional<LayoutFacts> newest =
                layouts.stream().filter(layout -> !layout.aborted()).reduce((earlier, later) -> later);
        if (newest.isPresent() && newest.get().epoch() >= epoch) {
            NavigableMap<String, String> base = Seats.members();
            base.putAll(newest.get().members());
            return base;
        }
        if (epoch == 0 && newest.isEmpty()) {
            return members(snapshot.workers().keySet());
        }
        NavigableMap<String, String> base = members(inForce);
        base.keySet().removeIf(seat -> Seats.ordinal(seat) == Integer.MAX_VALUE);
        return base;
    }

    private Optional<LayoutFacts> openProposal(NavigableMap<String, String> wanted, Map<String, String> aborts) {
        LayoutFacts open = null;
        for (LayoutFacts layout : layouts) {
            if (layout.aborted() || layout.committed() || isInForce(layout)) {
                continue;
            }
            String name = layout.resource().getMetadata().getName();
            if (layout.fromEpoch() != epoch || layout.epoch() <= epoch) {
                aborts.put(name, "epoch " + epoch + " is in force, and this layout does not follow it");
            } else if (!layout.members().equals(wanted)) {
                aborts.put(name, "other workers are wanted now");
            } else if (open != null) {
                aborts.put(name, "epoch " + open.epoch() + " proposes the same");
            } else {
                open = layout;
            }
        }
        return Optional.ofNullable(open);
    }

    private boolean isInForce(LayoutFacts layout) {
        return layout.epoch() == epoch
                && snapshot.statement()
                        .map(statement -> statement.layout().digest().equals(layout.digest()))
                        .orElse(layout.committed());
    }

    private Proposal next(NavigableMap<String, String> wanted) {
        long highest = layouts.stream().mapToLong(LayoutFacts::epoch).max().orElse(0);
        return new Proposal(Math.max(highest, epoch) + 1, epoch, reason(wanted), wanted);
    }

    private LayoutReason reason(NavigableMap<String, String> wanted) {
        boolean first = layouts.stream().noneMatch(LayoutFacts::committed);
        if (epoch == 0) {
            return first ? LayoutReason.INITIAL : LayoutReason.RECOVERY;
        }
        if (wanted.size() == inForce.size()) {
            return wanted.keySet().equals(inForce) ? LayoutReason.UPGRADE : LayoutReason.PLACEMENT;
        }
        return wanted.size() > inForce.size() ? LayoutReason.SCALE_OUT : LayoutReason.SCALE_IN;
    }
}
