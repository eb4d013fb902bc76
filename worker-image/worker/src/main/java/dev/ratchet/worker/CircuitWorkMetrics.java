/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.dataflow.CircuitWork;
import dev.ratchet.membership.Metric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What operators and threads of the circuit do in this worker, published as they appear. Those of a program that does
 * not run any more are no numbers. Figures begin anew with each run. One thread adds, any may read.
 */
final class CircuitWorkMetrics {

    private static final double NANOS_PER_SECOND = 1e9;

    /** A figure of each operator. */
    private record Figure(String name, boolean counter, String help, ToDoubleFunction<OperatorMetrics> value) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure(
                    "evaluations_total",
                    true,
                    "Times that an operator of the circuit had anything to do",
                    OperatorMetrics::evaluations),
            new Figure("rows_total", true, "Rows that an operator of the circuit put out", OperatorMetrics::rows),
            new Figure(
                    "seconds_total",
                    true,
                    "Time in an operator of the circuit, over all threads",
                    operator -> operator.nanos() / NANOS_PER_SECOND),
            new Figure("state_rows", false, "Rows that an operator remembers", OperatorMetrics::stateRows),
            new Figure(
                    "state_bytes",
                    false,
                    "Bytes that an operator remembers, in memory and in files",
                    OperatorMetrics::stateBytes),
            new Figure(
                    "memory_bytes",
                    false,
                    "Bytes that an operator remembers, those in memory",
                    OperatorMetrics::memoryBytes));

    private final Supplier<CircuitWork> work;
    private final Set<String> published = new HashSet<>();

    CircuitWorkMetrics(Supplier<CircuitWork> work) {
        this.work = work;
    }

    /** What has appeared since the last time. */
    List<Metric> appeared() {
        List<Metric> metrics = new ArrayList<>();
        CircuitWork now = work.get();
        for (OperatorMetrics operator : now.operators()) {
            if (published.add("operator " + operator.id())) {
                FIGURES.forEach(figure -> metrics.add(metric(operator, figure)));
            }
        }
        for (int thread = 0; thread < now.threadNanos().size(); thread++) {
            if (published.add("thread " + thread)) {
                metrics.add(metric(thread));
            }
        }
        return metrics;
    }

    private Metric metric(OperatorMetrics operator, Figure figure) {
        return new Metric(
                "circuit_operator_" + figure.name(),
                figure.help(),
                figure.counter(),
                Map.of("operator", operator.id(), "kind", operator.kind()),
                () -> work.get().operators().stream()
                        .filter(one -> one.id().equals(operator.id()))
                        .mapToDouble(figure.value())
                        .findFirst()
                        .orElse(Double.NaN));
    }

    private Metric metric(int thread) {
        return Metric.counter(
                        "circuit_thread_seconds_total",
                        "Time in operators, by thread of the circuit in this worker",
                        () -> {
                            List<Long> nanos = work.get().threadNanos();
                            return thread < nanos.size() ? nanos.get(thread) / NANOS_PER_SECOND : Double.NaN;
                        })
                .tagged("thread", Integer.toString(thread));
    }
}
