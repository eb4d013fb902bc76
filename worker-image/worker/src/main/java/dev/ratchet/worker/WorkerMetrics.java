/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.futures.FuturesMetrics;
import dev.ratchet.membership.Membership;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.store.environment.Environment;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.ToDoubleFunction;

/** What a worker counts, in Prometheus' text format. Every name begins with {@code ratchet_} or is the JVM's. */
final class WorkerMetrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();

    WorkerMetrics(String cluster, String seat, String version) {
        registry.config().commonTags("cluster", cluster, "seat", seat);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbage.bindTo(registry);
        Gauge.builder("ratchet.build.info", () -> 1)
                .description("Always 1; the release is in the tag")
                .tag("version", version)
                .register(registry);
    }

    /** Adds what membership knows. */
    void bind(Membership membership, Environment environment) {
        gauge(
                "ratchet.seat.incarnation",
                "Incarnation that this process has",
                membership,
                m -> m.isJoined() ? m.seat().incarnation() : 0);
        gauge("ratchet.coordinator.term", "Term that this process holds, 0 if none", membership, Membership::term);
        gauge(
                "ratchet.lease.remaining.seconds",
                "Until this process must stop",
                membership,
                m -> m.isJoined() ? (m.seat().validUntilNanos() - environment.nanoTime()) / 1e9 : 0);
        for (WorkerState state : WorkerState.values()) {
            Gauge.builder("ratchet.worker.state", membership, m -> m.seat().state() == state ? 1 : 0)
                    .description("1 for the state that the worker is in")
                    .tags(Tags.of("state", state.name()))
                    .register(registry);
        }
    }

    /** Adds what futures count. */
    void bind(FuturesMetrics futures) {
        for (FuturesMetrics.Metric metric : futures.all()) {
            if (metric.counter()) {
                String name = "ratchet." + metric.name().replaceAll("_total$", "");
                FunctionCounter.builder(name, metric, counted -> counted.value().getAsDouble())
                        .description(metric.help())
                        .tags(Tags.of(metric.tags().entrySet().stream()
                                .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                                .toList()))
                        .register(registry);
            } else {
                gauge("ratchet." + metric.name(), metric.help(), metric, shown -> shown.value()
                        .getAsDouble());
            }
        }
    }

    private <T> void gauge(String name, String description, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value)
                .description(description)
                .strongReference(true)
                .register(registry);
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
