/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.environment.Environment;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.membership.Metric;
import java.util.List;

/** How many wait on this worker: for a slot, for other futures and for a commit. */
public final class ExecutionMetrics {

    private ExecutionMetrics() {}

    public static List<Metric> of(Executions executions, OutcomeCommitter outcomeCommitter, Environment environment) {
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
}
