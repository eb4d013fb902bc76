/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.SeatOrder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts, repeats and ends what a seat does with what it holds when it is to take no work any more: it hands everything
 * over, or it parks, as the coordinator and the end of the process want it. Safe for use by several threads.
 */
final class DrainControl {

    private static final Logger LOG = LoggerFactory.getLogger(DrainControl.class);
    private static final long RETRY_MILLIS = 1_000;

    /** Who has parked for longer is not ended for the sake of the next process: nobody has come to replace it. */
    private static final long PARKED_MILLIS_MAX = 30_000;

    /** What is to become of what the seat holds. */
    private enum Goal {
        /** It works with it. */
        WORK,
        /** The next process of the seat finds it in files. */
        PARK,
        /** Others have it. */
        HAND_OVER
    }

    private final Holdings holdings;
    private final Environment environment;
    private final Runnable changed;
    /** Held while the holdings are told of a goal; never taken while this object's own lock is held. */
    private final Object holdingsLock = new Object();

    private SeatOrder order = new SeatOrder(false, false, 0);
    private boolean leaving;
    /** Before this a process that is to end does not rely on the order to park. */
    private long reliesFromNanos;

    private long parkedNanos;
    /** It is to end, and whoever has ordered it to park has not replaced it in time. */
    private boolean parkedInVain;

    private Goal goal = Goal.WORK;
    private long timeoutMillis;
    private boolean reached;
    /** Counts changes of mind, so that the end of a drain that was called off is not taken for that of the next. */
    private long round;

    private String told = "";

    /** @param changed is run when the goal is another one, or reached */
    DrainControl(Holdings holdings, Environment environment, Runnable changed) {
        this.holdings = holdings;
        this.environment = environment;
        this.changed = changed;
    }

    /** What the coordinator wants now. */
    void command(SeatOrder wanted) {
        synchronized (this) {
            order = wanted;
        }
        update(wanted.timeoutMillis());
    }

    /**
     * The process is about to end; this is never called off.
     *
     * @param graceMillis for how long after it the order to park may still be taken back, if it parks; 0 where what it
     *     holds outlives its pod
     */
    void leave(long drainTimeoutMillis, long graceMillis) {
        boolean parks;
        synchronized (this) {
            leaving = true;
            boolean late = environment.nanoTime() - parkedNanos > PARKED_MILLIS_MAX * 1_000_000;
            parkedInVain |= graceMillis > 0 && goal == Goal.PARK && reached && late;
            reliesFromNanos = environment.nanoTime() + graceMillis * 1_000_000;
            parks = order.park() && !parkedInVain;
        }
        update(drainTimeoutMillis);
        if (parks) {
            environment.schedule(graceMillis, changed);
        }
    }

    private void update(long drainTimeoutMillis) {
        Goal next;
        long started;
        synchronized (this) {
            next = goal();
            boolean sooner = next != Goal.WORK && drainTimeoutMillis != timeoutMillis;
            if (next == goal && !sooner) {
                return;
            }
            goal = next;
            timeoutMillis = drainTimeoutMillis;
            reached = false;
            round++;
            started = round;
            told = "";
        }
        if (next == Goal.WORK) {
            LOG.info("Works again: to drain or to park was called off");
        } else {
            LOG.info("{}: timeoutMillis={}", next == Goal.PARK ? "Parking" : "Draining", drainTimeoutMillis);
        }
        begin(next, started, drainTimeoutMillis);
        changed.run();
    }

    private Goal goal() {
        if (order.drain()) {
            return Goal.HAND_OVER;
        }
        if (order.park() && !parkedInVain) {
            return Goal.PARK;
        }
        return leaving ? Goal.HAND_OVER : Goal.WORK;
    }

    /** The holdings hear of one goal after the other, and of none that another one has replaced. */
    private void begin(Goal to, long ofRound, long ofTimeoutMillis) {
        synchronized (holdingsLock) {
            if (!isRound(ofRound)) {
                return;
            }
            if (to == Goal.WORK) {
                GuardedCallbacks.run("going on after a drain", holdings::resume);
                return;
            }
            GuardedCallbacks.begin(() -> pursue(to, ofTimeoutMillis))
                    .whenCompleteAsync(
                            (done, failure) -> finish(to, ofRound, ofTimeoutMillis, failure), environment.executor());
        }
    }

    private CompletableFuture<Void> pursue(Goal to, long ofTimeoutMillis) {
        return to == Goal.PARK ? holdings.park(ofTimeoutMillis) : holdings.drain(ofTimeoutMillis);
    }

    private void finish(Goal to, long ofRound, long ofTimeoutMillis, @Nullable Throwable failure) {
        boolean there = failure == null && (to == Goal.PARK || holdings.now().isNothing());
        synchronized (this) {
            if (ofRound != round) {
                return;
            }
            if (there) {
                reached = true;
                parkedNanos = environment.nanoTime();
            }
        }
        if (there) {
            changed.run();
            return;
        }
        tell((to == Goal.PARK ? "Parking" : "The drain") + " goes on: holds=" + holdings.now() + " failure=" + failure);
        environment.schedule(RETRY_MILLIS, () -> begin(to, ofRound, ofTimeoutMillis));
    }

    /** A drain may wait for as long as nobody takes what is left: it is not told again until that changes. */
    private void tell(String left) {
        synchronized (this) {
            if (left.equals(told)) {
                return;
            }
            told = left;
        }
        LOG.warn("{}", left);
    }

    private synchronized boolean isRound(long ofRound) {
        return ofRound == round;
    }

    /** Whether no work is taken. */
    synchronized boolean isWanted() {
        return goal != Goal.WORK;
    }

    /** True once everything was let go of, while that is wanted. */
    synchronized boolean isEmptied() {
        return goal == Goal.HAND_OVER && reached;
    }

    /** True once everything that is held is in files, while the next process of the seat is to find it there. */
    synchronized boolean isParked() {
        return goal == Goal.PARK && reached;
    }

    /** Whether a process that is parked may end as it is: if it is to end, what asks for that has had its time. */
    synchronized boolean mayEndParked() {
        return goal == Goal.PARK && reached && leaving && environment.nanoTime() - reliesFromNanos >= 0;
    }
}
