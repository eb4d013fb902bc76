/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.State;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Attempts at futures that are not recorded yet, made by one worker under one token; to be recorded in the transaction
 * that records the futures. A future that turns out to be known already keeps what it has.
 *
 * @param outcomes how they have ended; empty: the attempt is still going on
 */
record EarlyAttempts(
        @Nullable Seat seat, ClaimToken token, @Nullable Recorder recorder, Map<FutureId, Optional<Outcome>> outcomes) {

    static final EarlyAttempts NONE = new EarlyAttempts(null, ClaimToken.getDefaultInstance(), null, Map.of());

    /** Makes the transaction fail unless the worker may work. */
    CompletableFuture<Void> fence(Transaction transaction) {
        return seat == null ? CompletableFuture.completedFuture(null) : seat.fenceForWork(transaction);
    }

    /** Records the attempt at a future that was just created, if there was one. */
    boolean record(FutureTransaction futures, LoadedFuture future) {
        Optional<Outcome> outcome = outcomes.get(future.id());
        if (outcome == null || recorder == null) {
            return false;
        }
        future.apply(Event.SUBMIT, State.STATE_QUEUED);
        future.apply(Event.CLAIM);
        future.change()
                .setEpoch(token.getEpoch())
                .setNumAttempts(future.record().getNumAttempts() + 1)
                .setClaim(token);
        outcome.ifPresentOrElse(ended -> end(futures, future, recorder, ended), () -> futures.transaction()
                .set(
                        futures.keys()
                                .claims
                                .key(
                                        token.getSeat(),
                                        token.getIncarnation(),
                                        future.id().value()),
                        FutureKeys.PRESENT));
        return true;
    }

    private static void end(FutureTransaction futures, LoadedFuture future, Recorder recorder, Outcome outcome) {
        switch (outcome) {
            case Outcome.Realized realized -> recorder.realize(futures, future, realized.result());
            case Outcome.Failed failed -> recorder.fail(futures, future, failed.failure(), failed.permanent());
            case Outcome.GivenBack givenBack -> recorder.giveBack(futures, future);
        }
    }
}
