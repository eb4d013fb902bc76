/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.membership.Metric;
import dev.ratchet.protocol.release.Release;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a worker counts, in Prometheus' text format. Every name begins with {@code ratchet_} or is the JVM's. */
final class WorkerMetrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();
    /** The registry holds counters weakly: one that nobody else holds would stand still from the next collection on. */
    private final List<Metric> bound = new CopyOnWriteArrayList<>();

    WorkerMetrics(String cluster, String seat, String version) {
        registry.config().commonTags("cluster", cluster, "seat", seat);
        // Names and units of these two are not those that Prometheus expects.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        FunctionCounter.builder("process.cpu", ProcessHandle.current(), WorkerMetrics::processorSeconds)
                .baseUnit("seconds")
                .description("Processor time of this process")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbage.bindTo(registry);
        Gauge.builder("ratchet.build.info", () -> 1)
                .description("Always 1; the release is in the tags")
                .tag("version", version)
                .tag("commit", Release.COMMIT)
                .register(registry);
    }

    private static double processorSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1_000.0;
    }

    /** Adds what a part of the worker counts. */
    void bind(List<Metric> metrics) {
        bound.addAll(metrics);
        for (Metric metric : metrics) {
            String name = "ratchet." + metric.name().replaceAll("_total$", "");
            List<Tag> tags = metric.tags().entrySet().stream()
                    .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                    .toList();
            if (metric.counter()) {
                FunctionCounter.builder(name, metric, counted -> counted.value().getAsDouble())
                        .description(metric.help())
                        .tags(tags)
                        .register(registry);
            } else {
                Gauge.builder(name, metric, shown -> shown.value().getAsDouble())
                        .description(metric.help())
                        .tags(tags)
                        .strongReference(true)
                        .register(registry);
            }
        }
    }

    String text() {
        return registry.scrape();
    }

    @Override
    public void close() {
        garbage.close();
        registry.close();
    }
}
