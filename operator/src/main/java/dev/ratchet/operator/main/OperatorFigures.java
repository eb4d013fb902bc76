/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import dev.ratchet.protocol.release.Release;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import java.time.Duration;
import java.util.Map;

/** Owns what the figures of libraries are called and said to be, so that {@code promtool check metrics} has no word. */
final class OperatorFigures {

    private static final Map<String, String> HELPS = Map.of(
            "custom_resources", "Clusters that are watched",
            "events.received", "Changes that were heard of",
            "reconciliations.active", "Reconciles under way",
            "reconciliations.queue", "Clusters whose reconcile waits",
            "reconciliations.started.total", "Reconciles begun",
            "reconciliations.success.total", "Reconciles ended",
            "reconciliations.failure.total", "Reconciles failed, to be tried again",
            "reconciliations.retries.total", "Reconciles begun because the one before failed",
            "reconciliations.execution.duration", "How long reconciles take");

    private OperatorFigures() {}

    /** To be called before anything else is registered. */
    static void prepare(MeterRegistry metrics) {
        metrics.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"))
                .meterFilter(new MeterFilter() {
                    @Override
                    public Meter.Id map(Meter.Id id) {
                        String help = HELPS.get(id.getName());
                        return help == null
                                ? id
                                : new Meter.Id(
                                        id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), help, id.getType());
                    }
                });
    }

    /** Adds the figures of the process and which build it is. */
    static void bindRuntime(MeterRegistry metrics) {
        bindRelease(metrics);
        new JvmMemoryMetrics().bindTo(metrics);
        new ProcessorMetrics().bindTo(metrics);
        new UptimeMetrics().bindTo(metrics);
        JvmGcMetrics collections = new JvmGcMetrics();
        collections.bindTo(metrics);
        FunctionCounter.builder("process.cpu", ProcessHandle.current(), OperatorFigures::processorSeconds)
                .baseUnit("seconds")
                .description("Processor time of this process")
                .register(metrics);
    }

    /** Adds which build this is. */
    static void bindRelease(MeterRegistry metrics) {
        Gauge.builder("ratchet.build.info", () -> 1)
                .description("Always 1; the release is in the tags")
                .tag("version", Release.VERSION)
                .tag("commit", Release.COMMIT)
                .register(metrics);
    }

    private static double processorSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1_000.0;
    }
}
