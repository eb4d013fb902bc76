/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.dataflow.CircuitWork;
import dev.ratchet.membership.Metric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CircuitWorkMetricsTest {

    private CircuitWork work = CircuitWork.NONE;
    private final CircuitWorkMetrics metrics = new CircuitWorkMetrics(() -> work);

    private static OperatorMetrics operator(String id, long rows) {
        return new OperatorMetrics(id, "join", "a join", 3, rows, 100, 2_500_000_000L, 0, 7, 70, 60);
    }

    private static double value(List<Metric> metrics, String name, Map<String, String> tags) {
        return metrics.stream()
                .filter(one -> one.name().equals(name) && one.tags().equals(tags))
                .findFirst()
                .orElseThrow()
                .value()
                .getAsDouble();
    }

    @Test
    void operatorsAndThreadsArePublishedOnceAsTheyAppear() {
        assertThat(metrics.appeared()).isEmpty();
        work = new CircuitWork(List.of(operator("a", 5)), List.of(1_000_000_000L), Optional.empty());
        List<Metric> first = metrics.appeared();
        Map<String, String> tags = Map.of("operator", "a", "kind", "join");
        assertThat(value(first, "circuit_operator_rows_total", tags)).isEqualTo(5);
        assertThat(value(first, "circuit_operator_seconds_total", tags)).isEqualTo(2.5);
        assertThat(value(first, "circuit_operator_state_bytes", tags)).isEqualTo(70);
        assertThat(value(first, "circuit_thread_seconds_total", Map.of("thread", "0")))
                .isEqualTo(1);
        work = new CircuitWork(
                List.of(operator("a", 9), operator("b", 1)), List.of(2_000_000_000L, 5L), Optional.empty());
        List<Metric> further = metrics.appeared();
        assertThat(further).hasSize(first.size()).noneMatch(one -> one.tags().containsValue("a"));
        assertThat(value(first, "circuit_operator_rows_total", tags)).isEqualTo(9);
        work = CircuitWork.NONE;
        assertThat(metrics.appeared()).isEmpty();
        assertThat(value(first, "circuit_operator_rows_total", tags)).isNaN();
        assertThat(value(first, "circuit_thread_seconds_total", Map.of("thread", "0")))
                .isNaN();
    }
}
