/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.layout.LayoutReason;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.status.Reason;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Owns where the placement stands and where it goes.
 *
 * @param epoch in force as far as is known; 0 before the first
 * @param inForce seats of that epoch
 * @param members seats that the spec asks for, chosen, and the revision of each
 * @param proposal name of the ComputeLayout that waits to be committed; empty for none
 * @param create the layout to propose now
 * @param aborts ComputeLayouts to give up, by name, and why
 * @param waiting why nothing can be proposed though more or fewer workers are wanted
 * @param lookAt when time alone may change the decision
 * @param changing seats in force that are to have another revision where they are
 * @param upgrade which revisions the workers have and should have
 * @param proving whether the workers of the last step of an upgrade, which is in force, have not passed its gate yet
 */
public record LayoutDecision(
        long epoch,
        Set<String> inForce,
        NavigableMap<String, String> members,
        Optional<String> proposal,
        Optional<Proposal> create,
        Map<String, Obstacle> aborts,
        Optional<Reason> waiting,
        Set<String> changing,
        Upgrade upgrade,
        Optional<Instant> lookAt,
        boolean proving) {
    /** A layout that does not exist yet. */
    public record Proposal(
            long epoch,
            long fromEpoch,
            LayoutReason reason,
            NavigableMap<String, String> members,
            Optional<UpgradeProgress> progress) {}

    public static final LayoutDecision NONE = new LayoutDecision(
            0,
            Set.of(),
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Set.of(),
            Upgrade.NONE,
            Optional.empty(),
            false);

    public LayoutDecision {
        inForce = Set.copyOf(inForce);
        aborts = Map.copyOf(aborts);
        changing = Set.copyOf(changing);
    }

    /** The same, but its upgrade waits for something. */
    LayoutDecision withBlocked(Obstacle by) {
        return new LayoutDecision(
                epoch,
                inForce,
                members,
                proposal,
                create,
                aborts,
                waiting,
                changing,
                new Upgrade(upgrade.current(), upgrade.update(), upgrade.progress(), Optional.of(by)),
                lookAt,
                proving);
    }

    /** Seats that the spec asks for. */
    public NavigableSet<String> wanted() {
        return members.navigableKeySet();
    }
}
