/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.UpgradePolicy;
import dev.ratchet.crds.layout.LayoutReason;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.LayoutDecision.Proposal;
import dev.ratchet.operator.status.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Owns the proposals of layouts. The coordinator decides what is in force, by compare-and-set; here is only what to
 * propose next. At most one proposal is open; one that no longer is wanted, or no longer follows the epoch in force, is
 * given up and replaced by a later epoch. Epochs are never used twice, so a commit that arrives late can not put the
 * wrong seats into force unnoticed.
 */
final class LayoutPlanner {
    private final Snapshot snapshot;
    private final WorkerRevisions revisions;
    private final LayoutView layouts;

    LayoutPlanner(Snapshot snapshot, WorkerRevisions revisions) {
        this.snapshot = snapshot;
        this.revisions = revisions;
        this.layouts = new LayoutView(snapshot, revisions);
    }

    /**
     * Where the placement stands and goes.
     *
     * @param awaited why no worker may be upgraded yet
     */
    LayoutDecision decide(int replicas, UpgradePolicy policy, Optional<Obstacle> awaited) {
        LayoutWish wish = new UpgradeWalk(snapshot, revisions, layouts, policy, replicas, awaited).wish();
        Map<String, Obstacle> aborts = new HashMap<>();
        Optional<LayoutFacts> proposal = openProposal(wish, aborts);
        Optional<Proposal> create =
                proposal.isPresent() || isReached(wish) ? Optional.empty() : Optional.of(next(wish));
        return new LayoutDecision(
                layouts.epoch(),
                layouts.inForceSeats(),
                wish.members(),
                proposal.map(open -> open.resource().getMetadata().getName()),
                create,
                aborts,
                wish.waiting(),
                changing(wish.members()),
                wish.upgrade(),
                wish.lookAt(),
                wish.proving());
    }

    private Set<String> changing(Map<String, String> members) {
        return layouts.inForce().entrySet().stream()
                .filter(before -> members.containsKey(before.getKey())
                        && !before.getValue().equals(members.get(before.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** While no layout at all is in force every worker that lives works: to have none takes a layout as well. */
    private boolean isReached(LayoutWish wish) {
        boolean nobodyWorks =
                snapshot.clusterReport().isEmpty() || snapshot.workers().isEmpty();
        return wish.members().equals(layouts.inForce())
                && (wish.progress() == null || wish.progress().equals(layouts.carriedInForce()))
                && (layouts.epoch() > 0 || nobodyWorks);
    }

    private Optional<LayoutFacts> openProposal(LayoutWish wish, Map<String, Obstacle> aborts) {
        long epoch = layouts.epoch();
        LayoutFacts open = null;
        for (LayoutFacts layout : layouts.all()) {
            if (layout.aborted() || layout.committed() || layouts.isInForce(layout)) {
                continue;
            }
            String name = layout.resource().getMetadata().getName();
            if (layout.fromEpoch() != epoch || layout.epoch() <= epoch) {
                aborts.put(name, superseded("epoch " + epoch + " is in force, and this layout does not follow it"));
            } else if (!layout.members().equals(wish.members()) || !Objects.equals(layout.upgrade(), wish.progress())) {
                aborts.put(name, wish.instead());
            } else if (open != null) {
                aborts.put(name, superseded("epoch " + open.epoch() + " proposes the same"));
            } else {
                open = layout;
            }
        }
        return Optional.ofNullable(open);
    }

    private static Obstacle superseded(String message) {
        return new Obstacle(Reason.SUPERSEDED, message);
    }

    private Proposal next(LayoutWish wish) {
        return new Proposal(
                layouts.nextEpoch(),
                layouts.epoch(),
                reason(wish),
                wish.members(),
                Optional.ofNullable(wish.progress()));
    }

    private LayoutReason reason(LayoutWish wish) {
        boolean first = layouts.all().stream().noneMatch(LayoutFacts::committed);
        if (layouts.epoch() == 0) {
            return first ? LayoutReason.INITIAL : LayoutReason.RECOVERY;
        }
        if (wish.walks()) {
            return LayoutReason.UPGRADE;
        }
        NavigableMap<String, String> wanted = wish.members();
        int before = layouts.inForceSeats().size();
        if (wanted.size() == before) {
            return LayoutReason.PLACEMENT;
        }
        return wanted.size() > before ? LayoutReason.SCALE_OUT : LayoutReason.SCALE_IN;
    }
}
