/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.LifecycleHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what a container wants done before it is asked to end. A failure is told and does not hold the end up. */
final class PreStop {

    private static final Logger LOG = LoggerFactory.getLogger(PreStop.class);

    private PreStop() {}

    /** Blocks for at most {@code limit}. */
    static void run(LifecycleHandler hook, ProbeCheck check, Duration limit) {
        Duration timeout = limit.isPositive() ? limit : Duration.ofMillis(1);
        try {
            if (hook.getSleep() != null) {
                Thread.sleep(
                        Math.min(timeout.toMillis(), 1000L * hook.getSleep().getSeconds()));
            }
            Optional<String> problem = Optional.empty();
            if (hook.getExec() != null) {
                problem = check.execute(hook.getExec().getCommand(), timeout);
            } else if (hook.getHttpGet() != null) {
                problem = check.http(hook.getHttpGet(), timeout);
            }
            problem.ifPresent(text -> LOG.warn(
                    "a preStop hook failed: container={} cause={}",
                    check.container().getName(),
                    text));
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn(
                    "a preStop hook failed: container={} cause={}",
                    check.container().getName(),
                    e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
