/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.membership.Metric;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How far inputs and outputs are behind is reported and published, also where nothing has gone through yet. */
class CircuitLagTest {

    private DataflowStatus status = status(Map.of("t", 4L), Map.of("t", 3L, "u", 5L), Map.of("v", 2L));
    private boolean isWhole = true;
    private final CircuitMetrics metrics = new CircuitMetrics(() -> status, () -> isWhole);

    private static DataflowStatus status(Map<String, Long> received, Map<String, Long> rows, Map<String, Long> steps) {
        return new DataflowStatus(DataflowState.RUNNING, "", 9, 2, 4, "digest", received, 64, rows, Map.of(), steps, 0);
    }

    private static double value(List<Metric> metrics, String name, Map<String, String> tags) {
        return metrics.stream()
                .filter(metric -> metric.name().equals(name) && metric.tags().equals(tags))
                .findFirst()
                .orElseThrow()
                .value()
                .getAsDouble();
    }

    @Test
    void theOperatorIsTold() {
        CircuitReport report = new CircuitReports().of(status, 0);
        assertThat(report.getLagRowsMap()).isEqualTo(Map.of("t", 3L, "u", 5L));
        assertThat(report.getLagStepsMap()).isEqualTo(Map.of("v", 2L));
    }

    @Test
    void figuresOfTheCoordinatorArePublishedAndGoBackToNone() {
        List<Metric> appeared = metrics.appeared();
        assertThat(value(appeared, "circuit_input_rows", Map.of("table", "t"))).isEqualTo(4);
        assertThat(value(appeared, "circuit_input_lag_rows", Map.of("table", "t")))
                .isEqualTo(3);
        assertThat(value(appeared, "circuit_input_lag_rows", Map.of("table", "u")))
                .isEqualTo(5);
        assertThat(value(appeared, "circuit_output_lag_steps", Map.of("view", "v")))
                .isEqualTo(2);
        status = status(Map.of("t", 7L, "u", 5L), Map.of(), Map.of("v", 0L));
        assertThat(metrics.appeared()).isEmpty();
        assertThat(value(appeared, "circuit_input_lag_rows", Map.of("table", "t")))
                .isZero();
        isWhole = false;
        assertThat(value(appeared, "circuit_input_lag_rows", Map.of("table", "t")))
                .isNaN();
    }
}
