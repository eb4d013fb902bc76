/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.membership.Metric;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How many futures are in the store in each state, and how many of them are to be looked after. */
final class QueueMetrics {

    private QueueMetrics() {}

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
