/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts, repeats and ends the drain of what the seat holds, as it is wanted by the coordinator, by the end of the
 * process, or by both. Safe for use by several threads.
 */
final class DrainControl {

    private static final Logger LOG = LoggerFactory.getLogger(DrainControl.class);
    private static final long RETRY_MILLIS = 1_000;

    private final Holdings holdings;
    private final Environment environment;
    private final Runnable changed;
    private boolean commanded;
    private boolean leaving;
    private long timeoutMillis;
    private boolean emptied;
    /** Counts changes of mind, so that the end of a drain that was called off is not taken for that of the next. */
    private long round;

    private String told = "";

    /** @param changed is run when the drain is wanted, not wanted any more, or done */
    DrainControl(Holdings holdings, Environment environment, Runnable changed) {
        this.holdings = holdings;
        this.environment = environment;
        this.changed = changed;
    }

    /** The coordinator wants the drain, or not any more. */
    void command(boolean on, long drainTimeoutMillis) {
        update(on, leaving(), drainTimeoutMillis);
    }

    /** The process is about to end; this is never called off. */
    void leave(long drainTimeoutMillis) {
        update(isCommanded(), true, drainTimeoutMillis);
    }

    private void update(boolean nowCommanded, boolean nowLeaving, long drainTimeoutMillis) {
        boolean wanted = nowCommanded || nowLeaving;
        long started;
        synchronized (this) {
            boolean before = commanded || leaving;
            boolean sooner = wanted && before && drainTimeoutMillis != timeoutMillis;
            commanded = nowCommanded;
            leaving = nowLeaving;
            if (wanted == before && !sooner) {
                return;
            }
            timeoutMillis = drainTimeoutMillis;
            emptied = false;
            round++;
            started = round;
            told = "";
        }
        if (wanted) {
            LOG.info("Draining: timeoutMillis={}", drainTimeoutMillis);
            drain(started, drainTimeoutMillis);
        } else {
            LOG.info("The drain was called off");
            GuardedCallbacks.run("going on after a drain", holdings::resume);
        }
        changed.run();
    }

    private void drain(long ofRound, long ofTimeoutMillis) {
        GuardedCallbacks.begin(() -> holdings.drain(ofTimeoutMillis))
                .whenCompleteAsync(
                        (done, failure) -> finish(ofRound, ofTimeoutMillis, failure), environment.executor());
    }

    private void finish(long ofRound, long ofTimeoutMillis, @Nullable Throwable failure) {
        synchronized (this) {
            if (ofRound != round) {
                return;
            }
            if (failure == null && holdings.now().isNothing()) {
                emptied = true;
            }
        }
        if (isEmptied()) {
            changed.run();
            return;
        }
        tell("holds=" + holdings.now() + " failure=" + failure);
        environment.schedule(RETRY_MILLIS, () -> {
            if (isRound(ofRound)) {
                drain(ofRound, ofTimeoutMillis);
            }
        });
    }

    /** A drain may wait for as long as nobody takes what is left: it is not told again until that changes. */
    private void tell(String left) {
        synchronized (this) {
            if (left.equals(told)) {
                return;
            }
            told = left;
        }
        LOG.warn("The drain goes on until nothing is left: {}", left);
    }

    private synchronized boolean isRound(long ofRound) {
        return ofRound == round;
    }

    private synchronized boolean isCommanded() {
        return commanded;
    }

    private synchronized boolean leaving() {
        return leaving;
    }

    synchronized boolean isWanted() {
        return commanded || leaving;
    }

    /** True once everything was let go of, while the drain is wanted. */
    synchronized boolean isEmptied() {
        return emptied;
    }
}
