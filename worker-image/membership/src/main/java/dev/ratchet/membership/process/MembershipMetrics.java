/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.process;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.seat.SeatKeeper;
import java.util.ArrayList;
import java.util.List;

/** What membership publishes of one worker: its seat and lease, what it has seen of others, what it has refused. */
final class MembershipMetrics {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    private MembershipMetrics() {}

    static List<Metric> of(
            Membership membership,
            SeatKeeper seat,
            SeatObserver observer,
            MembershipCounters counters,
            Environment environment) {
        List<Metric> all = new ArrayList<>(List.of(
                Metric.gauge(
                        "seat_incarnation",
                        "Incarnation that this process has",
                        () -> seat.isTaken() ? seat.incarnation() : 0),
                Metric.gauge("format_level", "Level of formats that this process records", membership.formats()::get),
                Metric.gauge("coordinator_term", "Term that this process holds, 0 if none", membership::term),
                Metric.gauge(
                        "lease_remaining_seconds",
                        "Until this process must stop",
                        () -> seat.isTaken()
                                ? (seat.validUntilNanos() - environment.nanoTime()) / NANOS_PER_SECOND
                                : 0),
                Metric.gauge(
                        "lease_margin_seconds",
                        "What was left of the lease when it was last renewed",
                        () -> seat.marginNanos() / NANOS_PER_SECOND),
                Metric.counter("heartbeats_total", "Heartbeats that succeeded", counters.beats::sum),
                Metric.counter(
                        "heartbeat_seconds_total",
                        "Time that successful heartbeats took",
                        () -> counters.beatMicros.sum() / MICROS_PER_SECOND),
                Metric.counter("heartbeats_failed_total", "Heartbeats that failed", counters.failedBeats::sum),
                Metric.counter(
                        "seat_lost_refusals_total", "Transactions refused: seat lost", counters.refusedFences::sum),
                Metric.counter("work_refusals_total", "Transactions refused: no new work", counters.refusedWork::sum),
                Metric.counter("commands_total", "Commands executed", counters.commands::sum),
                Metric.counter("commands_refused_total", "Commands refused as old", counters.refusedCommands::sum),
                Metric.counter("terms_total", "Terms that this process was elected for", counters.terms::sum),
                Metric.counter("seat_probes_total", "Late or suspect workers probed", counters.probes::sum),
                Metric.counter("seat_deaths_total", "Incarnations found dead or ended", counters.deaths::sum)));
        for (WorkerState state : WorkerState.values()) {
            all.add(Metric.gauge("worker_state", "1 for the state of this worker", () -> seat.state() == state ? 1 : 0)
                    .tagged("state", state.name()));
            all.add(Metric.gauge("seats", "Seats of the cluster by recorded state", () -> count(observer, state))
                    .tagged("state", state.name()));
        }
        return List.copyOf(all);
    }

    private static long count(SeatObserver observer, WorkerState state) {
        return observer.latest().stream()
                .filter(member -> member.state() == state)
                .count();
    }
}
