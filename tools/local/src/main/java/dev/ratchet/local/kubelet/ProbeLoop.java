/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Probe;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Repeats one probe of one run of a container, on a virtual thread of its own, and reports when the verdict changes:
 * good after {@code successThreshold} successes in a row, bad after {@code failureThreshold} failures in a row. A bad
 * verdict of a liveness or startup probe is final for that run.
 */
final class ProbeLoop implements AutoCloseable {

    private final Probe probe;
    private final ProbeCheck check;
    private final BiConsumer<Boolean, String> verdict;
    private final Thread thread;

    /** @param verdict told (good, why not) on the loop's thread, the first time with the first verdict */
    ProbeLoop(String name, Probe probe, ProbeCheck check, BiConsumer<Boolean, String> verdict) {
        this.probe = probe;
        this.check = check;
        this.verdict = verdict;
        this.thread = Thread.ofVirtual().name("probe-" + name).start(this::run);
    }

    private void run() {
        try {
            Thread.sleep(
                    1000L * Math.max(0, probe.getInitialDelaySeconds() == null ? 0 : probe.getInitialDelaySeconds()));
            int successes = 0;
            int failures = 0;
            while (true) {
                Optional<String> problem = check.run(probe);
                successes = problem.isEmpty() ? successes + 1 : 0;
                failures = problem.isEmpty() ? 0 : failures + 1;
                if (successes == ProbeCheck.positive(probe.getSuccessThreshold(), 1)) {
                    verdict.accept(true, "");
                }
                if (failures == ProbeCheck.positive(probe.getFailureThreshold(), 3)) {
                    verdict.accept(false, problem.orElse(""));
                }
                Thread.sleep(1000L * ProbeCheck.positive(probe.getPeriodSeconds(), 10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
