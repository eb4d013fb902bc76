/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A claim on this worker, from the claim to its recorded outcome. Owns two races: between the thread that runs it and
 * whoever wants it to stop (code is interrupted only while it runs, and not started once it was stopped), and between
 * those who would record an outcome (exactly one does).
 */
public final class Execution {

    /** Why a claim must not be carried through. */
    enum Stop {
        /** The claim is not in force any more: cancelled, or taken over. Nothing is recorded. */
        REVOKED,
        /** This worker wants to be rid of it: it is given back. */
        GIVE_BACK,
        /** It has run for longer than it may: the attempt has failed. */
        TIMED_OUT
    }

    private final Claimed claimed;
    private final long claimedNanos;
    private Execution admitted = this;
    private Runnable onSuspend = () -> {};
    private CompletableFuture<?> recorded = CompletableFuture.completedFuture(null);
    private @Nullable AttemptGroup group;
    private @Nullable Stop stop;
    private @Nullable Thread runner;
    private long startedNanos;
    private boolean started;
    private boolean suspended;
    private long stopSeenNanos;
    private boolean settled;

    Execution(Claimed claimed, long claimedNanos) {
        this.claimed = claimed;
        this.claimedNanos = claimedNanos;
    }

    public Claimed claimed() {
        return claimed;
    }

    /**
     * Says that it runs in the place of another one, and before its claim is in the store.
     *
     * @param suspended is called when it begins to wait
     * @param claim completes when its claim is recorded, or is not going to be; before that no outcome of it can be
     */
    void runIn(Execution other, Runnable suspended, CompletableFuture<?> claim) {
        admitted = other;
        onSuspend = suspended;
        recorded = claim;
    }

    /** Completes when its claim is in the store, or is not going to be. Never fails. */
    CompletableFuture<?> whenRecorded() {
        return recorded;
    }

    /** In whose place it runs; itself if it has its own. */
    Execution admitted() {
        return admitted;
    }

    /** Says that others run in its place, being a block or the first of a group: in this one. */
    synchronized void runBy(AttemptGroup attempts) {
        group = attempts;
    }

    /** The group that runs in its place, if it is a block or the first of a group, and was started. */
    synchronized Optional<AttemptGroup> group() {
        return Optional.ofNullable(group);
    }

    /** What it takes while it runs. */
    Requirements requirements() {
        return SchedulingSpecs.requirements(claimed.record());
    }

    /** Whether it has requirements of its own. */
    boolean isSpecial() {
        return !claimed.record().getPartition().getRequirementClass().equals(SchedulingSpecs.DEFAULT_CLASS);
    }

    long claimedNanos() {
        return claimedNanos;
    }

    /** Binds it to the current thread; false if it was stopped before. */
    synchronized boolean start(long nowNanos) {
        if (stop != null) {
            return false;
        }
        started = true;
        startedNanos = nowNanos;
        runner = Thread.currentThread();
        return true;
    }

    /** Unbinds it; no interrupt meant for it stays behind on the thread. */
    synchronized void end() {
        runner = null;
        Thread.interrupted();
    }

    /** Stops it, interrupting it if it runs; the first reason wins. */
    synchronized void stop(Stop reason) {
        if (stop == null) {
            stop = reason;
        }
        if (runner != null) {
            runner.interrupt();
        }
    }

    /** Stops it if it has not started and was not stopped yet; whether that is so. */
    synchronized boolean stopUnstarted(Stop reason) {
        if (started || stop != null) {
            return false;
        }
        stop = reason;
        return true;
    }

    synchronized @Nullable Stop stopped() {
        return stop;
    }

    synchronized boolean isStarted() {
        return started;
    }

    /** Whether it waits for other futures and has given its slot back. */
    synchronized boolean isSuspended() {
        return suspended;
    }

    synchronized void suspend(boolean now) {
        suspended = now;
    }

    /** To be called when its code begins to wait. */
    void beginsToWait() {
        onSuspend.run();
    }

    /** Whether the calling thread runs it. */
    synchronized boolean isRunner() {
        return runner == Thread.currentThread();
    }

    /** True for the first caller, who then records the outcome. */
    synchronized boolean settle() {
        boolean first = !settled;
        settled = true;
        return first;
    }

    /** Whether it has begun longer ago than its submitter allows an attempt to take. */
    synchronized boolean isOverdue(long nowNanos) {
        long limit = claimed.record().getSchedulingSpec().getAttemptTimeoutMillis();
        return limit > 0 && started && nowNanos - startedNanos > limit * 1_000_000;
    }

    /** Whether its code runs. */
    synchronized boolean isRunning() {
        return runner != null;
    }

    /** Whether its code has told this process to end: it waits for that, so that nothing may wait for it. */
    synchronized boolean isExiting() {
        return runner != null
                && Arrays.stream(runner.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Runtime.class.getName())
                                && frame.getMethodName().equals("exit"));
    }

    /** How long its code has gone on since it was first seen here to have been stopped; 0 if it was not. */
    synchronized long unyieldingNanos(long nowNanos) {
        if (stop == null || runner == null) {
            return 0;
        }
        if (stopSeenNanos == 0) {
            stopSeenNanos = nowNanos;
        }
        return nowNanos - stopSeenNanos;
    }

    /** How long it has been running; 0 before it starts. */
    synchronized long runNanos(long nowNanos) {
        return started ? nowNanos - startedNanos : 0;
    }
}
