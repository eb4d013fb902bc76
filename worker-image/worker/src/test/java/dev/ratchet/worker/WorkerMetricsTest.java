/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.Metric;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void figuresThatNobodyElseHoldsGoOnAfterACollectionOfGarbage() {
        LongAdder counted = new LongAdder();
        try (WorkerMetrics metrics = new WorkerMetrics("orders", "orders-w-0", "0.1.0")) {
            metrics.bind(List.of(
                    Metric.counter("beats_total", "Counted", counted::sum),
                    Metric.gauge("waiting", "Shown", counted::sum)));
            assertThat(metrics.text()).contains("ratchet_beats_total{cluster=\"orders\",seat=\"orders-w-0\"} 0.0");

            collectGarbage();
            counted.increment();

            assertThat(metrics.text())
                    .contains("ratchet_beats_total{cluster=\"orders\",seat=\"orders-w-0\"} 1.0")
                    .contains("ratchet_waiting{cluster=\"orders\",seat=\"orders-w-0\"} 1.0");
        }
    }

    @Test
    void figuresOfTheProcessHaveTheNamesThatPrometheusExpects() {
        try (WorkerMetrics metrics = new WorkerMetrics("orders", "orders-w-0", "0.1.0")) {
            assertThat(metrics.text())
                    .contains("process_cpu_seconds_total{", "process_cpu_usage{")
                    .doesNotContain("process_cpu_time_ns", "system_cpu_count");
            assertThat(metrics.text().lines().filter(line -> line.startsWith("process_cpu_seconds_total{")))
                    .singleElement()
                    .satisfies(line -> assertThat(Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
                            .isPositive());
        }
    }

    private static void collectGarbage() {
        WeakReference<Object> lost = new WeakReference<>(new Object());
        Awaitility.await().atMost(LIMIT).until(() -> {
            System.gc();
            return lost.get() == null;
        });
    }
}
