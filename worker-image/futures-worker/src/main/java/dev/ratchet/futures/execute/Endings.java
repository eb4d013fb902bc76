/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.claim.ClaimLoop;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How executions end: each is recorded once, or, where its claim is not in force any more, not at all; then it is not
 * held any more, and its room is free. A result that is not recorded is forgotten. Safe for use by several threads.
 */
final class Endings {

    private static final Logger LOG = LoggerFactory.getLogger(Endings.class);

    private final Seat seat;
    private final Executions executions;
    private final OutcomeCommitter outcomeCommitter;
    private final Unrecorded unrecorded;
    private final BiConsumer<FutureId, Outcome> recorded;
    private final WorkCounters counters;
    private final ClaimLoop claims;
    private volatile boolean givesBackAll;

    Endings(
            Seat seat,
            Executions executions,
            OutcomeCommitter outcomeCommitter,
            Unrecorded unrecorded,
            BiConsumer<FutureId, Outcome> recorded,
            WorkCounters counters,
            ClaimLoop claims) {
        this.seat = seat;
        this.executions = executions;
        this.outcomeCommitter = outcomeCommitter;
        this.unrecorded = unrecorded;
        this.recorded = recorded;
        this.counters = counters;
        this.claims = claims;
    }

    /** Records how the attempts of a claim have ended; where none was started it is given back as it is. */
    CompletableFuture<Void> ended(Execution execution, Map<FutureId, Optional<Outcome>> attempts) {
        if (attempts.isEmpty()) {
            return ended(execution, new Outcome.GivenBack());
        }
        return ended(
                execution,
                attempts.getOrDefault(execution.claimed().id(), Optional.empty())
                        .orElseGet(() -> new Outcome.OfBlock(attempts)));
    }

    /**
     * Records how an execution has ended, unless its claim is not in force any more. What fails after it was told to
     * give way is given back: nobody can tell its failure from that of the interrupt, before which it had not failed.
     */
    CompletableFuture<Void> ended(Execution execution, Outcome outcome) {
        if (execution.stopped() == Execution.Stop.REVOKED) {
            discard(execution, outcome);
            finish(execution, null);
            return CompletableFuture.completedFuture(null);
        }
        if (execution.stopped() == Execution.Stop.TIMED_OUT) {
            discard(execution, outcome);
            return settle(execution, StoppedAttempts.timedOut(execution, seat.name()));
        }
        return settle(execution, execution.stopped() == Execution.Stop.GIVE_BACK ? withoutFailures(outcome) : outcome);
    }

    private static Outcome withoutFailures(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failed failed -> new Outcome.GivenBack();
            case Outcome.OfBlock block -> {
                Map<FutureId, Optional<Outcome>> others = new HashMap<>(block.ended());
                others.values().removeIf(ended -> ended.orElse(null) instanceof Outcome.Failed);
                yield others.isEmpty() ? new Outcome.GivenBack() : new Outcome.OfBlock(Map.copyOf(others));
            }
            case Outcome.Realized realized -> realized;
            case Outcome.GivenBack givenBack -> givenBack;
        };
    }

    /**
     * Records an outcome once its claim is in the store, unless one is recorded already; completes when that is done,
     * or is in vain.
     */
    CompletableFuture<Void> settle(Execution execution, Outcome outcome) {
        if (!execution.settle()) {
            discard(execution, outcome);
            return CompletableFuture.completedFuture(null);
        }
        return execution
                .whenRecorded()
                .thenCompose(
                        unused -> GuardedCallbacks.begin(() -> outcomeCommitter.record(execution.claimed(), outcome)))
                .handle((inForce, failure) -> {
                    if (failure != null || !inForce) {
                        counters.refused.increment();
                        discard(execution, outcome);
                    } else {
                        GuardedCallbacks.run(
                                "telling that an outcome is recorded",
                                () -> recorded.accept(execution.claimed().id(), outcome));
                    }
                    finish(execution, failure);
                    return null;
                });
    }

    private void discard(Execution execution, Outcome outcome) {
        GuardedCallbacks.run(
                "forgetting a result that is not recorded", () -> unrecorded.discard(execution.claimed(), outcome));
    }

    /** Stops what has no claim any more. */
    void revoke(Execution execution) {
        boolean unstarted = execution.stopUnstarted(Execution.Stop.REVOKED);
        execution.stop(Execution.Stop.REVOKED);
        if (unstarted && execution.settle()) {
            finish(execution, null);
        }
    }

    /** Gives back what was claimed at least so long ago and has not started. */
    void giveBackUnstarted(long nowNanos, long olderThanNanos) {
        for (Execution execution : executions.list()) {
            if (nowNanos - execution.claimedNanos() >= olderThanNanos
                    && execution.stopUnstarted(Execution.Stop.GIVE_BACK)) {
                settle(execution, new Outcome.GivenBack());
            }
        }
    }

    /**
     * Interrupts and gives back whatever still runs, and until {@link #keep} what is {@link #added}; code that does not
     * yield goes on without a claim.
     */
    void giveBackAll() {
        givesBackAll = true;
        executions.list().forEach(this::giveBack);
    }

    /** Gives back nothing more that is added. */
    void keep() {
        givesBackAll = false;
    }

    /** Whether nothing may begin here. */
    boolean givesBackAll() {
        return givesBackAll;
    }

    /** To be called once an execution is held. */
    void added(Execution execution) {
        if (givesBackAll) {
            giveBack(execution);
        }
    }

    private void giveBack(Execution execution) {
        boolean unstarted = execution.stopUnstarted(Execution.Stop.GIVE_BACK);
        execution.stop(Execution.Stop.GIVE_BACK);
        if (unstarted || execution.isStarted()) {
            settle(execution, new Outcome.GivenBack());
        }
    }

    /** Does not hold an execution any more. */
    void finish(Execution execution, @Nullable Throwable failure) {
        if (failure != null && !(failure.getCause() instanceof SeatLostException)) {
            LOG.warn(
                    "an outcome could not be recorded future={} epoch={}",
                    execution.claimed().id(),
                    execution.claimed().token().getEpoch(),
                    failure);
            claims.doubt();
        }
        executions.remove(execution);
        GuardedCallbacks.run("telling that nothing is claimed", claims::signalIfEmpty);
        claims.roomIsFree();
    }
}
