/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.membership.Metric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a worker publishes of the circuit. The step is this worker's own; what needs all workers is known to the
 * coordinator alone and not a number elsewhere. Tables and views are published once the program that has them runs, so
 * that a lag of 0 can be told from one that nobody counts. One thread.
 */
final class CircuitMetrics {

    private final Supplier<DataflowStatus> status;
    private final Supplier<Boolean> isWhole;
    private final Set<String> published = new HashSet<>();

    /** @param isWhole whether the status is that of the coordinator */
    CircuitMetrics(Supplier<DataflowStatus> status, Supplier<Boolean> isWhole) {
        this.status = status;
        this.isWhole = isWhole;
    }

    /** What is there from the beginning. */
    List<Metric> fixed() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(Metric.gauge("circuit_step", "Last step of the circuit that was taken", () -> status.get()
                .step()));
        metrics.add(Metric.gauge(
                "circuit_version",
                "Last version of the state that is durable on all workers; known to the coordinator",
                whole(DataflowStatus::version)));
        metrics.add(Metric.gauge(
                "circuit_pending_bytes",
                "Bytes of input that are in no step yet; known to the coordinator",
                whole(DataflowStatus::pendingBytes)));
        metrics.add(Metric.gauge(
                "circuit_error_rows",
                "Rows that could not be parsed or computed; known to the coordinator",
                whole(DataflowStatus::errorRows)));
        for (DataflowState state : DataflowState.values()) {
            metrics.add(Metric.gauge(
                            "circuit_state",
                            "1 for the state that the circuit is in as far as this worker knows",
                            () -> status.get().state() == state ? 1 : 0)
                    .tagged("state", state.name().toLowerCase(Locale.ROOT)));
        }
        return metrics;
    }

    /** What has appeared since the last time. */
    List<Metric> appeared() {
        List<Metric> metrics = new ArrayList<>();
        DataflowStatus now = status.get();
        for (String table : names(now.receivedRows(), now.lagRows())) {
            add(
                    metrics,
                    "circuit_input_rows",
                    "Rows that were read; known to the coordinator",
                    "table",
                    table,
                    DataflowStatus::receivedRows);
            add(
                    metrics,
                    "circuit_input_lag_rows",
                    "Rows that were accepted and that not all workers have taken in a step; known to the coordinator",
                    "table",
                    table,
                    DataflowStatus::lagRows);
        }
        for (String view : names(now.viewRows(), now.lagSteps())) {
            add(
                    metrics,
                    "circuit_output_rows",
                    "Changes of rows that were put out; known to the coordinator",
                    "view",
                    view,
                    DataflowStatus::viewRows);
            add(
                    metrics,
                    "circuit_output_lag_steps",
                    "Steps that the slowest feed or output of the view does not have yet; known to the coordinator",
                    "view",
                    view,
                    DataflowStatus::lagSteps);
        }
        return metrics;
    }

    private static Set<String> names(Map<String, Long> rows, Map<String, Long> lags) {
        Set<String> names = new TreeSet<>(rows.keySet());
        names.addAll(lags.keySet());
        return names;
    }

    private void add(
            List<Metric> metrics,
            String name,
            String help,
            String tag,
            String named,
            Function<DataflowStatus, Map<String, Long>> rows) {
        if (published.add(name + " " + named)) {
            metrics.add(
                    Metric.gauge(name, help, whole(shown -> rows.apply(shown).getOrDefault(named, 0L)))
                            .tagged(tag, named));
        }
    }

    private DoubleSupplier whole(Function<DataflowStatus, Long> figure) {
        return () -> isWhole.get() ? figure.apply(status.get()) : Double.NaN;
    }
}
