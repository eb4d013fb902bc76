/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures;

import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.record.Transitions;
import dev.ratchet.futures.work.WorkCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** What a worker's futures publish: names as in Prometheus without the prefix {@code ratchet_}, read at any time. */
public final class FuturesMetrics {

    /**
     * One figure.
     *
     * @param counter whether it only grows
     * @param tags further tags, of which no two figures of one name have the same
     */
    public record Metric(String name, String help, boolean counter, Map<String, String> tags, DoubleSupplier value) {}

    private final List<Metric> metrics;

    FuturesMetrics(FuturesEngine engine, WorkCounters counters, Transitions transitions, ObjectStore objects) {
        metrics = new ArrayList<>(figures(engine, counters, transitions, objects));
        for (Event event : Event.values()) {
            metrics.add(new Metric(
                    "futures_transitions_total",
                    "Steps in the lives of futures that this worker has recorded",
                    true,
                    Map.of("event", event.name().toLowerCase(Locale.ROOT)),
                    () -> transitions.count(event)));
        }
    }

    private static List<Metric> figures(
            FuturesEngine engine, WorkCounters counters, Transitions transitions, ObjectStore objects) {
        return List.of(
                counter("futures_claimed_total", "Futures claimed", () -> transitions.count(Event.CLAIM)),
                counter("futures_claim_transactions_total", "Looks at the queue", counters.claimTransactions::sum),
                counter("futures_realized_total", "Results recorded", () -> transitions.count(Event.REALIZE)),
                counter(
                        "futures_failed_attempts_total",
                        "Failed and lost attempts recorded",
                        () -> transitions.count(Event.RETRY) + transitions.count(Event.EXHAUST)),
                counter("futures_given_back_total", "Claims given back", () -> transitions.count(Event.GIVE_BACK)),
                counter(
                        "futures_awaited_upstream_total",
                        "Claims given back for a lost upstream",
                        () -> transitions.count(Event.AWAIT_UPSTREAM)),
                counter("futures_refused_total", "Outcomes whose claim was not in force", counters.refused::sum),
                counter("futures_run_seconds_total", "Time users' code has run", () -> counters.runMicros.sum() / 1e6),
                gauge("futures_claims", "Claims held", () -> engine.now().futures()),
                gauge("objects", "Results held", () -> engine.now().objects()),
                gauge("object_store_bytes", "Bytes of results held", () -> objects.usedBytes()),
                gauge("object_store_spilled_bytes", "Bytes of results on disk", () -> objects.spilledBytes()),
                gauge("object_store_free_bytes", "Bytes of results that still fit", () -> objects.freeBytes()),
                counter(
                        "objects_written_bytes_total",
                        "Bytes that became objects",
                        objects.counters().writtenBytes::sum),
                counter("objects_read_bytes_total", "Bytes that tasks read here", objects.counters().readBytes::sum),
                counter("objects_fetched_bytes_total", "Bytes got from others", objects.counters().fetchedBytes::sum),
                counter("objects_served_bytes_total", "Bytes given to others", objects.counters().servedBytes::sum),
                counter("objects_deleted_total", "Objects deleted", objects.counters().deleted::sum),
                counter("objects_missing_total", "Copies that were not there", objects.counters().missing::sum),
                counter("objects_refused_total", "Objects without room", objects.counters().refused::sum),
                counter("futures_collected_total", "Futures removed after their retention", engine::collected),
                gauge("clients", "Clients that this worker vouches for", engine::connectedClients),
                gauge("code_loaders", "Open class loaders", engine::openLoaders),
                gauge("futures_waited_for", "Futures that clients of this worker wait for", engine::waitedFor));
    }

    /** All figures. */
    public List<Metric> all() {
        return metrics;
    }

    private static Metric counter(String name, String help, DoubleSupplier value) {
        return new Metric(name, help, true, Map.of(), value);
    }

    private static Metric gauge(String name, String help, DoubleSupplier value) {
        return new Metric(name, help, false, Map.of(), value);
    }
}
