/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves again and again that work can be executed, by a canary each period. A check counts from its start, so a slow
 * one never makes anything look fresher than it is; one that does not end counts as failed when the next is due. Safe
 * for use by several threads.
 */
final class HealthCheck {

    private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);
    private static final long RETRY_MILLIS = 1_000;

    private final Holdings holdings;
    private final LeaseSettings lease;
    private final Environment environment;
    private final Runnable changed;
    private boolean stopped;
    private boolean passedOnce;
    private long passedNanos;
    private long newestCheck;

    /** @param changed is run when a check passed that was not fresh before, or failed */
    HealthCheck(Holdings holdings, LeaseSettings lease, Environment environment, Runnable changed) {
        this.holdings = holdings;
        this.lease = lease;
        this.environment = environment;
        this.changed = changed;
    }

    void start() {
        long check;
        synchronized (this) {
            if (stopped) {
                return;
            }
            newestCheck++;
            check = newestCheck;
        }
        long startNanos = environment.nanoTime();
        environment.schedule(lease.canaryMillis(), () -> repeat(check));
        GuardedCallbacks.begin(holdings::canary)
                .whenCompleteAsync((done, failure) -> finish(check, startNanos, failure), environment.executor());
    }

    private void repeat(long check) {
        synchronized (this) {
            if (check != newestCheck) {
                return;
            }
        }
        GuardedCallbacks.run("the health check", this::start);
        changed.run();
    }

    private void finish(long check, long startNanos, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warn("The health check failed: {}", failure.toString());
            environment.schedule(Math.min(RETRY_MILLIS, lease.canaryMillis()), () -> repeat(check));
            return;
        }
        boolean wasFresh = isFresh();
        synchronized (this) {
            passedNanos = passedOnce ? Math.max(passedNanos, startNanos) : startNanos;
            passedOnce = true;
        }
        if (!wasFresh) {
            changed.run();
        }
    }

    /** True while the last check that passed began at most two periods ago. */
    synchronized boolean isFresh() {
        return passedOnce && environment.nanoTime() - passedNanos <= 2 * lease.canaryMillis() * 1_000_000;
    }

    synchronized void stop() {
        stopped = true;
    }
}
