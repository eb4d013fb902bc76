/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.release.Release;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetricsV2;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code promtool check metrics} complains of when it is given these figures. */
class OperatorFiguresTest {

    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void figuresOfTheProcessHaveTheNamesThatPrometheusExpects() {
        OperatorFigures.prepare(metrics);
        OperatorFigures.bindRuntime(metrics);

        assertThat(metrics.scrape())
                .contains("process_cpu_seconds_total ", "process_cpu_usage ")
                .doesNotContain("process_cpu_time_ns", "system_cpu_count");
        assertThat(metrics.scrape().lines().filter(line -> line.startsWith("process_cpu_seconds_total ")))
                .singleElement()
                .satisfies(line -> assertThat(Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                        .isPositive());
    }

    @Test
    void oneFigureTellsWhichBuildThisIs() {
        OperatorFigures.prepare(metrics);
        OperatorFigures.bindRuntime(metrics);

        assertThat(metrics.scrape())
                .contains("ratchet_build_info{commit=\"" + Release.COMMIT + "\",version=\"" + Release.VERSION + "\"}");
    }

    @Test
    void everyFigureOfTheFrameworkSaysWhatItIs() {
        OperatorFigures.prepare(metrics);
        for (String name : List.of(
                "events.received",
                MicrometerMetricsV2.RECONCILIATIONS_STARTED,
                MicrometerMetricsV2.RECONCILIATIONS_SUCCESS,
                MicrometerMetricsV2.RECONCILIATIONS_FAILED,
                MicrometerMetricsV2.RECONCILIATIONS_RETRIES_NUMBER,
                MicrometerMetricsV2.RECONCILIATIONS_EXECUTIONS_GAUGE,
                MicrometerMetricsV2.RECONCILIATIONS_QUEUE_SIZE_GAUGE,
                MicrometerMetricsV2.NUMBER_OF_RESOURCE_GAUGE)) {
            metrics.counter(name).increment();
        }
        metrics.timer(MicrometerMetricsV2.RECONCILIATION_EXECUTION_DURATION);

        String text = metrics.scrape();
        assertThat(text.lines().filter(line -> line.startsWith("# TYPE"))).hasSizeGreaterThanOrEqualTo(9);
        assertThat(text.lines()
                        .filter(line -> line.startsWith("# TYPE"))
                        .map(line -> line.substring(7, line.indexOf(' ', 7))))
                .allSatisfy(name -> assertThat(text).containsPattern("(?m)^# HELP " + name + " +\\S"));
    }
}
