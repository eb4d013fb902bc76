/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Commands;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Owns one decision: what to write, in this order, and what to ask of the coordinator. It is data, so it can be
 * printed, compared and tested without a cluster.
 *
 * @param acceptance what became of the newest spec
 * @param target the cluster with the spec in effect; empty while none was ever accepted
 * @param layout where the placement stands
 * @param wakeAt when to look again though nothing happened
 * @param blocked what stands in the way and what to do about it
 */
public record ReconcilePlan(
        Acceptance acceptance,
        Optional<Target> target,
        List<Action> actions,
        Commands commands,
        LayoutDecision layout,
        Optional<Instant> wakeAt,
        Optional<Obstacle> blocked) {
    public ReconcilePlan {
        actions = List.copyOf(actions);
    }

    /** This plan with {@code obstacle}, unless another came first, and to be looked at again at {@code next}. */
    public ReconcilePlan hindered(Obstacle obstacle, Instant next) {
        Instant wake = wakeAt.filter(at -> at.isBefore(next)).orElse(next);
        return new ReconcilePlan(
                acceptance,
                target,
                actions,
                commands,
                layout,
                Optional.of(wake),
                Optional.of(blocked.orElse(obstacle)));
    }
}
