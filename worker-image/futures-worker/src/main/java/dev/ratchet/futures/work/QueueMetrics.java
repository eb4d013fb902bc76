/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.environment.Environment;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.membership.Metric;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many wait in each queue: for a slot, for others and for a commit on this worker; in the store in each state, and
 * to be looked after.
 */
final class QueueMetrics {

    private QueueMetrics() {}

    static List<Metric> of(Executions executions, OutcomeCommitter outcomeCommitter, Environment environment) {
        return List.of(
                Metric.gauge("futures_claims", "Claims held", executions::size),
                Metric.gauge("futures_claims_waiting", "Claims whose code has not started", executions::waiting),
                Metric.gauge(
                        "futures_claims_suspended", "Claims whose code waits for other futures", executions::suspended),
                Metric.gauge(
                        "futures_claims_longest_seconds",
                        "How long the code has run that has run for longest and does not wait for other futures",
                        () -> executions.longestRunNanos(environment.nanoTime()) / 1e9),
                Metric.gauge(
                        "futures_outcomes_waiting", "Outcomes that wait to be recorded", outcomeCommitter::waiting));
    }

    static Metric of(InlineExecution inlineExecution) {
        return Metric.gauge("futures_requests_waiting", "Submits that wait to be recorded", inlineExecution::waiting);
    }

    static List<Metric> of(StateCounts stateCounts) {
        List<Metric> all = new ArrayList<>();
        for (State state : State.values()) {
            if (state != State.STATE_UNSPECIFIED && state != State.UNRECOGNIZED) {
                all.add(Metric.gauge(
                                "futures",
                                "Futures in the store by state, as last counted by one worker for all",
                                () -> stateCounts.of(state))
                        .tagged("state", Lifecycle.word(state).toLowerCase(Locale.ROOT)));
            }
        }
        for (StateCounts.Queue queue : StateCounts.Queue.values()) {
            all.add(Metric.gauge(
                            "futures_backlog",
                            "Housekeeping of the whole cluster that is due, as last counted by one worker for all",
                            () -> stateCounts.of(queue))
                    .tagged("queue", queue.name().toLowerCase(Locale.ROOT)));
        }
        return all;
    }
}
