/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.claim.ClaimLoop;
import dev.ratchet.membership.Seat;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after what runs: gives back what waits behind tasks that take longer than was thought, stops what takes longer
 * than it may, and notices what does not let itself be stopped, or has told the process to end.
 */
final class WorkWatchdog {

    private static final Logger LOG = LoggerFactory.getLogger(WorkWatchdog.class);

    /** What waits longer than this behind a running task is given back. */
    private static final long UNSTARTED_NANOS_MAX = 1_000_000_000L;

    /** How long code may go on after it was interrupted. */
    private static final long YIELD_NANOS_MAX = 30_000_000_000L;

    private final Environment environment;
    private final Seat seat;
    private final Executions executions;
    private final ClaimLoop claims;
    private final Endings endings;
    private final CompletableFuture<FutureId> stuck = new CompletableFuture<>();

    WorkWatchdog(Environment environment, Seat seat, Executions executions, ClaimLoop claims, Endings endings) {
        this.environment = environment;
        this.seat = seat;
        this.executions = executions;
        this.claims = claims;
        this.endings = endings;
    }

    /** To be called twice a second. */
    void look() {
        long now = environment.nanoTime();
        endings.giveBackUnstarted(now, UNSTARTED_NANOS_MAX);
        GuardedCallbacks.each("looking after what runs", executions.list(), execution -> look(execution, now));
    }

    private void look(Execution execution, long now) {
        if (execution.stopped() == null && execution.isRunning() && execution.isOverdue(now)) {
            execution.stop(Execution.Stop.TIMED_OUT);
        }
        if (execution.unyieldingNanos(now) > YIELD_NANOS_MAX) {
            isStuck(execution);
        }
        if (claims.isClosed() && execution.isExiting()) {
            hasExited(execution);
        }
    }

    private void isStuck(Execution execution) {
        if (execution.stopped() == Execution.Stop.TIMED_OUT) {
            endings.settle(execution, StoppedAttempts.timedOut(execution, seat.name()));
        }
        if (stuck.complete(execution.claimed().id())) {
            LOG.error(
                    "A task does not end although it was interrupted; ending the process: future={} epoch={}",
                    execution.claimed().id(),
                    execution.claimed().token().getEpoch());
        }
    }

    private void hasExited(Execution execution) {
        LOG.warn(
                "a task has called System.exit, so this worker leaves seat={} future={} epoch={}",
                seat.name(),
                execution.claimed().id(),
                execution.claimed().token().getEpoch());
        endings.settle(execution, StoppedAttempts.exited(seat.name()));
    }

    /** Completes with a future whose code goes on although it was interrupted: this process must end to end that. */
    CompletableFuture<FutureId> stuck() {
        return stuck;
    }
}
