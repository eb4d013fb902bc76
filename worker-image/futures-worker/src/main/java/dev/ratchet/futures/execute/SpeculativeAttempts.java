/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.settle.BlockRecorder;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attempts at futures that are not recorded yet, made by one worker under one token; to be recorded in the transaction
 * that records the futures. A future that turns out to be known already keeps what it has.
 *
 * @param outcomes how they have ended; empty: the attempt is still going on
 * @param runs those of them that are calls of actors
 */
public record SpeculativeAttempts(
        @Nullable Seat seat,
        ClaimToken token,
        @Nullable Recorder recorder,
        Map<FutureId, Optional<Outcome>> outcomes,
        List<SpeculativeRun> runs) {

    public static final SpeculativeAttempts NONE =
            new SpeculativeAttempts(null, ClaimToken.getDefaultInstance(), null, Map.of(), List.of());

    /**
     * Those that count by the records of this transaction; writes the states that their calls leave.
     *
     * @param lastCalls of the actors
     * @param refused what is not recorded at all, and must leave no state either
     */
    public CompletableFuture<SpeculativeAttempts> counting(
            ActorStates states,
            FutureTransaction futures,
            Map<ByteString, List<FutureId>> lastCalls,
            Map<FutureId, LoadedFuture> known,
            Set<FutureId> refused) {
        CompletableFuture<SpeculativeAttempts> counting = CompletableFuture.completedFuture(this);
        for (SpeculativeRun run : runs) {
            boolean inTurn = lastCalls.getOrDefault(Ids.bytes(run.actor()), List.of()).stream()
                            .flatMap(call -> Optional.ofNullable(known.get(call)).stream())
                            .allMatch(call -> SpeculativeRun.isOver(call.state()))
                    && run.started().stream().noneMatch(id -> known.containsKey(id) || refused.contains(id));
            CompletableFuture<Boolean> counts =
                    inTurn ? run.holds(states, futures.transaction()) : CompletableFuture.completedFuture(false);
            boolean recordedBefore = run.started().stream()
                    .flatMap(id -> Optional.ofNullable(known.get(id)).stream())
                    .anyMatch(call -> call.record().getClaim().equals(token));
            counting = counting.thenCombine(counts, (attempts, holds) -> {
                run.setRecorded(holds || recordedBefore);
                if (!holds) {
                    return attempts.without(run.started());
                }
                run.recordBy(states, futures.transaction());
                return attempts;
            });
        }
        return counting;
    }

    /** All but these. */
    SpeculativeAttempts without(Set<FutureId> dropped) {
        Map<FutureId, Optional<Outcome>> others = new HashMap<>(outcomes);
        others.keySet().removeAll(dropped);
        return new SpeculativeAttempts(seat, token, recorder, others, runs);
    }

    /** Makes the transaction fail unless the worker may work. */
    public CompletableFuture<Void> fence(Transaction transaction) {
        return seat == null ? CompletableFuture.completedFuture(null) : seat.fenceForWork(transaction);
    }

    /** As {@link #fence} without a read, where that is possible. */
    public boolean fenceAsLastRead(Transaction transaction) {
        return seat != null && seat.fenceAsLastRead(transaction);
    }

    /**
     * Gives a transaction that has read nothing yet the version at which the runs before these were recorded, where
     * that is one and the same: it need not be asked for, and what has changed since is a conflict.
     */
    public void readWhereTheyBegan(Transaction transaction) {
        List<Long> versions =
                runs.stream().map(SpeculativeRun::version).distinct().toList();
        if (versions.size() == 1 && versions.getFirst() != SpeculativeRun.NO_VERSION) {
            transaction.setReadVersion(versions.getFirst());
        }
    }

    /** Whether all of so many futures have values. */
    public boolean allRealized(int futures) {
        return outcomes.size() == futures
                && outcomes.values().stream().allMatch(outcome -> outcome.orElse(null) instanceof Outcome.Realized);
    }

    /** Whether the block needs its arguments no more, because all of its futures have ended and stay in it. */
    public boolean hasEnded(LoadedFuture block) {
        return isStarted(block) && BlockRecorder.allStay(block, outcomes);
    }

    private boolean isStarted(LoadedFuture future) {
        return future.isBlock()
                ? outcomes.keySet().stream().anyMatch(id -> BlockIds.sentAs(id).equals(future.id()))
                : outcomes.containsKey(future.id());
    }

    /**
     * Records the attempt at a future or block that was just created, if there was one.
     *
     * @param arguments of a block
     * @param done is given what has left its block and is done
     */
    public boolean record(
            FutureTransaction futures, LoadedFuture future, List<ByteString> arguments, Consumer<LoadedFuture> done) {
        if (recorder == null || !isStarted(future)) {
            return false;
        }
        future.apply(Event.SUBMIT, State.STATE_QUEUED);
        future.apply(Event.CLAIM);
        future.change()
                .setEpoch(token.getEpoch())
                .setNumAttempts(future.record().getNumAttempts() + 1)
                .setClaim(token);
        if (future.isBlock()) {
            new BlockRecorder(recorder)
                    .record(futures, future, outcomes, arguments)
                    .forEach(done);
            return true;
        }
        Optional<Outcome> outcome = outcomes.getOrDefault(future.id(), Optional.empty());
        outcome.ifPresent(ended -> recorder.end(futures, future, ended));
        return true;
    }
}
