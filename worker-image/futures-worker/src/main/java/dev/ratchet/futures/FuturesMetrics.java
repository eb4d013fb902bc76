/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures;

import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.record.Transitions;
import dev.ratchet.membership.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a worker's futures publish: names as in Prometheus without the prefix {@code ratchet_}, read at any time. */
public final class FuturesMetrics {

    private final List<Metric> metrics;

    FuturesMetrics(FuturesEngine engine, WorkCounters counters, Transitions transitions, ObjectStore objects) {
        metrics = new ArrayList<>(figures(engine, counters, objects));
        metrics.addAll(engine.queues());
        for (Event event : Event.values()) {
            metrics.add(Metric.counter(
                            "futures_transitions_total",
                            "Steps in the lives of futures that this worker has recorded",
                            () -> transitions.count(event))
                    .tagged("event", event.name().toLowerCase(Locale.ROOT)));
        }
    }

    private static List<Metric> figures(FuturesEngine engine, WorkCounters counters, ObjectStore objects) {
        return List.of(
                Metric.counter(
                        "futures_claim_transactions_total", "Looks at the queue", counters.claimTransactions::sum),
                Metric.counter(
                        "futures_claim_seconds_total",
                        "Time that looks at the queue have taken",
                        () -> counters.claimMicros.sum() / 1e6),
                Metric.counter("futures_refused_total", "Outcomes whose claim was not in force", counters.refused::sum),
                Metric.counter(
                        "futures_told_early_total",
                        "Values that clients were told before they were recorded",
                        counters.toldEarly::sum),
                Metric.counter(
                        "futures_told_in_vain_total",
                        "Values that clients were told early and that this worker could not record",
                        counters.toldInVain::sum),
                Metric.counter(
                        "futures_run_seconds_total", "Time users' code has run", () -> counters.runMicros.sum() / 1e6),
                Metric.gauge("objects", "Results held", () -> engine.now().objects()),
                Metric.gauge("object_store_bytes", "Bytes of results held", () -> objects.usedBytes()),
                Metric.gauge("object_store_spilled_bytes", "Bytes of results on disk", () -> objects.spilledBytes()),
                Metric.gauge("object_store_free_bytes", "Bytes of results that still fit", () -> objects.freeBytes()),
                Metric.counter(
                        "objects_written_bytes_total",
                        "Bytes that became objects",
                        objects.counters().writtenBytes::sum),
                Metric.counter(
                        "objects_read_bytes_total", "Bytes that tasks read here", objects.counters().readBytes::sum),
                Metric.counter(
                        "objects_fetched_bytes_total", "Bytes got from others", objects.counters().fetchedBytes::sum),
                Metric.counter(
                        "objects_served_bytes_total", "Bytes given to others", objects.counters().servedBytes::sum),
                Metric.counter(
                        "objects_second_copies_total",
                        "Results given a second copy because their loss would cost more",
                        objects.counters().secondCopies::sum),
                Metric.counter(
                        "objects_second_copies_bytes_total",
                        "Bytes of second copies that others were given",
                        objects.counters().secondCopyBytes::sum),
                Metric.counter("objects_deleted_total", "Objects deleted", objects.counters().deleted::sum),
                Metric.counter("objects_missing_total", "Copies that were not there", objects.counters().missing::sum),
                Metric.counter(
                        "objects_unreadable_total",
                        "Reads that failed of objects that are held",
                        objects.counters().unreadable::sum),
                Metric.counter("objects_refused_total", "Objects without room", objects.counters().refused::sum),
                Metric.counter("futures_collected_total", "Futures removed after their retention", engine::collected),
                Metric.gauge("sessions", "Sessions that have slots of this worker", () -> engine.now()
                        .sessions()),
                Metric.gauge("clients", "Clients that this worker vouches for", engine::connectedClients),
                Metric.gauge("code_loaders", "Open class loaders", engine::openLoaders),
                Metric.gauge("futures_waited_for", "Futures that clients of this worker wait for", engine::waitedFor));
    }

    /** All figures. */
    public List<Metric> all() {
        return metrics;
    }
}
