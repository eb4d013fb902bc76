/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.plan.ReconcilePlan;
import dev.ratchet.operator.status.Reason;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of a plan.
 *
 * @param writes how many were made
 * @param refusals what the API server refuses, now or a moment ago
 * @param namespaceEnds whether it said that the namespace is being deleted
 */
public record ApplyOutcome(int writes, List<Refusal> refusals, boolean namespaceEnds) {
    /** Beyond the first, because a message has a limit. */
    private static final int OTHERS_TOLD = 4;

    public ApplyOutcome {
        refusals = List.copyOf(refusals);
    }

    /** The plan with what was refused as an obstacle, and with the time of the next attempt. */
    public ReconcilePlan onto(ReconcilePlan plan) {
        if (refusals.isEmpty()) {
            return plan;
        }
        Instant next =
                refusals.stream().map(Refusal::retryAt).min(Instant::compareTo).orElseThrow();
        return plan.hindered(new Obstacle(Reason.WRITE_REFUSED, explain()), next);
    }

    /** What was refused, in the words of the API server; "" for nothing. */
    public String explain() {
        if (refusals.isEmpty()) {
            return "";
        }
        Refusal first = refusals.get(0);
        String others = refusals.stream()
                .skip(1)
                .limit(OTHERS_TOLD)
                .map(Refusal::object)
                .collect(Collectors.joining(", "));
        String more = refusals.size() > OTHERS_TOLD + 1 ? " and more" : "";
        return "the API server refuses " + first.object() + ": " + first.message()
                + (others.isEmpty() ? "" : "; also refused: " + others + more);
    }
}
