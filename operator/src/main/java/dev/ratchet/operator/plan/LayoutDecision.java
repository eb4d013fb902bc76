/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.layout.LayoutReason;
import dev.ratchet.operator.status.Reason;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Owns where the placement stands and where it goes.
 *
 * @param epoch in force as far as is known; 0 before the first
 * @param inForce seats of that epoch
 * @param wanted seats that the spec asks for, chosen
 * @param proposal name of the ComputeLayout that waits to be committed; empty for none
 * @param create the layout to propose now
 * @param aborts ComputeLayouts to give up, by name, and why
 * @param waiting why nothing can be proposed though more or fewer workers are wanted
 */
public record LayoutDecision(
        long epoch,
        Set<String> inForce,
        NavigableSet<String> wanted,
        Optional<String> proposal,
        Optional<Proposal> create,
        Map<String, String> aborts,
        Optional<Reason> waiting) {
    /** A layout that does not exist yet. */
    public record Proposal(long epoch, long fromEpoch, LayoutReason reason, NavigableSet<String> seats) {}

    public static final LayoutDecision NONE = new LayoutDecision(
            0, Set.of(), new TreeSet<>(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty());

    public LayoutDecision {
        inForce = Set.copyOf(inForce);
        aborts = Map.copyOf(aborts);
    }
}
