/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.actor.LargeState;
import dev.ratchet.futures.actor.LargeStates;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the outcomes of this worker's claims. Outcomes that come while a commit is in flight travel together in the
 * next; those that store something travel alone, several at a time, and nothing waits for them. An outcome is recorded
 * only if its claim still is in force, read in the same transaction: whoever was taken over records nothing. Its retry
 * after an unknown commit finds its own outcome and leaves it.
 */
public final class OutcomeCommitter {

    private static final int BATCH_MAX = 128;
    private static final long BATCH_BYTES_MAX = 500_000;

    /** Tries to record an outcome before it is given up: ten seconds in which the store answers, and refuses. */
    private static final int TRIES_MAX = 20;

    private static final long RETRY_MILLIS = 500;

    /** Transactions at the same time of those that travel alone. */
    private static final int ALONE_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeCommitter.class);

    /**
     * An outcome on its way.
     *
     * @param recorded tells whether the claim was still in force
     * @param isWritten whether what must be in the store before it is there
     */
    private record Pending(
            Claimed claimed, Outcome outcome, CompletableFuture<Boolean> recorded, int tries, boolean isWritten) {
        /** What has failed before may be what makes others fail. */
        boolean isAlone() {
            return tries > 0 || !outcome.effects().isEmpty();
        }

        Pending again() {
            return new Pending(claimed, outcome, recorded, tries + 1, isWritten);
        }

        Pending written() {
            return new Pending(claimed, outcome, recorded, tries, true);
        }

        long bytes() {
            return 600L
                    + claimed.record().getSerializedSize()
                    + switch (outcome) {
                        case Outcome.Realized realized -> realized.result().getSerializedSize();
                        case Outcome.OfBlock ofBlock -> BlockContent.RESULT_BYTES_MAX / 4;
                        default -> 0;
                    };
        }
    }

    /** What one committed transaction has done. */
    private record Committed(Map<FutureId, Boolean> recorded, List<LoadedFuture> delivered) {}

    private final FutureStore store;
    private final Seat seat;
    private final Recorder recorder;
    private final BlockRecorder blockRecorder;
    private final Dependents dependents;
    private final IdleSeats idleSeats;
    private final SessionFence fence;
    private final OutcomeListener listener;
    private final Deque<Pending> queue = new ArrayDeque<>();
    /** What travels alone, so that one commit is not behind the other. */
    private final Deque<Pending> alone = new ArrayDeque<>();

    private final LargeStates states;
    private final RecentOutcomes recent;

    private boolean committing;
    private int committingAlone;

    /** @param listener is told of outcomes that this worker's clients wait for */
    public OutcomeCommitter(
            FutureStore store, Seat seat, Recorder recorder, Dependents dependents, OutcomeListener listener) {
        this.store = store;
        this.seat = seat;
        this.recorder = recorder;
        this.blockRecorder = new BlockRecorder(recorder);
        this.dependents = dependents;
        this.fence = new SessionFence(store.keys());
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
        this.states = new LargeStates(store);
        this.listener = listener;
        this.recent = new RecentOutcomes(store.environment()::nanoTime);
    }

    /** How the attempts of the last minute have ended. */
    public RecentOutcomes recent() {
        return recent;
    }

    /**
     * Records an outcome; whether it counted. Fails only when the seat is lost or the store does not take it. What
     * fails otherwise is tried again: it may have been recorded, and then those who wait for it are still to be told.
     */
    public CompletableFuture<Boolean> record(Claimed claimed, Outcome outcome) {
        Pending pending = new Pending(claimed, outcome, new CompletableFuture<>(), 0, false);
        recent.add(outcome);
        add(pending);
        return pending.recorded();
    }

    private void add(Pending pending) {
        Optional<LargeState> large = pending.outcome().large();
        if (large.isEmpty() || pending.isWritten()) {
            queue(pending);
            return;
        }
        states.write(large.get())
                .whenCompleteAsync(
                        (written, failure) -> {
                            if (failure != null) {
                                failed(pending, failure);
                            } else {
                                queue(pending.written());
                            }
                        },
                        store.environment().executor());
    }

    private void queue(Pending pending) {
        synchronized (this) {
            (pending.isAlone() ? alone : queue).add(pending);
        }
        commitNext();
    }

    /** How many outcomes wait for the next commit. */
    public synchronized int waiting() {
        return queue.size() + alone.size();
    }

    private void commitNext() {
        for (Map<FutureId, Pending> batch = next(); !batch.isEmpty(); batch = next()) {
            commit(batch);
        }
    }

    /** What may be committed now, beside what is being committed. */
    private synchronized Map<FutureId, Pending> next() {
        Map<FutureId, Pending> batch = new LinkedHashMap<>();
        if (!committing) {
            long bytes = 0;
            while (!queue.isEmpty() && batch.size() < BATCH_MAX) {
                bytes += queue.peek().bytes();
                if ((!batch.isEmpty() && bytes > BATCH_BYTES_MAX)
                        || batch.containsKey(queue.peek().claimed().id())) {
                    break;
                }
                Pending next = queue.remove();
                batch.put(next.claimed().id(), next);
            }
            committing = !batch.isEmpty();
        }
        if (batch.isEmpty() && committingAlone < ALONE_MAX && !alone.isEmpty()) {
            Pending next = alone.remove();
            batch.put(next.claimed().id(), next);
            committingAlone++;
        }
        return batch;
    }

    private synchronized void committed(boolean wasAlone) {
        if (wasAlone) {
            committingAlone--;
        } else {
            committing = false;
        }
    }

    private void commit(Map<FutureId, Pending> batch) {
        boolean isAlone = batch.values().iterator().next().isAlone();
        store.run(futures -> settle(futures, batch))
                .whenCompleteAsync(
                        (committed, failure) -> {
                            committed(isAlone);
                            GuardedCallbacks.run("recording outcomes", this::commitNext);
                            if (failure != null) {
                                batch.values().forEach(pending -> failed(pending, failure));
                            } else {
                                announce(batch, committed);
                            }
                        },
                        store.environment().executor());
    }

    private void failed(Pending pending, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof SeatLostException || pending.tries() >= TRIES_MAX) {
            pending.recorded().completeExceptionally(failure);
            return;
        }
        LOG.warn(
                "an outcome is not recorded, trying again future={} epoch={} delayMillis={}",
                pending.claimed().id(),
                pending.claimed().token().getEpoch(),
                RETRY_MILLIS,
                failure);
        var unused = store.environment().schedule(RETRY_MILLIS, () -> add(pending.again()));
    }

    private void announce(Map<FutureId, Pending> batch, Committed committed) {
        GuardedCallbacks.each(
                "telling of an outcome",
                committed.delivered(),
                future -> listener.done(future.id(), future.record().build()));
        batch.forEach((id, pending) -> {
            boolean recorded = committed.recorded().getOrDefault(id, false);
            if (!recorded) {
                pending.outcome().large().ifPresent(states::forget);
            }
            pending.recorded().complete(recorded);
        });
    }

    private CompletableFuture<Committed> settle(FutureTransaction futures, Map<FutureId, Pending> batch) {
        CompletableFuture<Void> fenced = seat.fence(futures.transaction());
        Dependents.Edges edges = dependents.edges(
                futures.transaction(),
                batch.values().stream()
                        .filter(pending -> !(pending.outcome() instanceof Outcome.OfBlock))
                        .map(pending -> pending.claimed().id())
                        .toList());
        return fenced.thenCombine(futures.loadAll(batch.keySet()), (unused, loaded) -> loaded)
                .thenCompose(loaded -> fence.sessionsOf(futures.transaction(), loaded)
                        .thenCompose(sessions -> effects(loaded, batch)
                                .hold(futures.transaction())
                                .thenCompose(held -> settle(futures, loaded, batch, sessions, held, edges))));
    }

    private CompletableFuture<Committed> settle(
            FutureTransaction futures,
            List<LoadedFuture> loaded,
            Map<FutureId, Pending> batch,
            Map<ByteString, Optional<SessionRecord>> sessions,
            boolean held,
            Dependents.Edges edges) {
        Map<FutureId, Boolean> recorded = new LinkedHashMap<>();
        List<LoadedFuture> done = new ArrayList<>();
        List<CompletableFuture<List<LoadedFuture>>> blocks = new ArrayList<>();
        for (LoadedFuture future : loaded) {
            Pending pending = batch.get(future.id());
            if (pending == null) {
                continue;
            }
            boolean claimed = future.isClaimedBy(pending.claimed().token());
            if (claimed && SessionFence.isOfSession(future) && !SessionFence.mayRecord(future, sessions)) {
                recorded.put(future.id(), false);
                recorder.end(futures, future, ofEndedSession(future, sessions));
                done.add(future);
            } else if (claimed) {
                recorded.put(future.id(), held);
                if (pending.outcome() instanceof Outcome.OfBlock ofBlock) {
                    blocks.add(blockRecorder.record(
                            futures, future, pending.claimed().record(), ofBlock.ended()));
                    continue;
                }
                apply(futures, future, held ? pending.outcome() : new Outcome.GivenBack());
                if (Lifecycle.isDone(future.state())) {
                    done.add(future);
                }
            } else if (isOwnFormerOutcome(future, pending)) {
                recorded.put(future.id(), true);
                futures.delivered(future);
                if (pending.outcome() instanceof Outcome.OfBlock ofBlock) {
                    blocks.add(blockRecorder.recordLeft(
                            futures, future, pending.claimed().record(), ofBlock.ended()));
                }
            }
        }
        return AsyncUtil.whenAll(blocks)
                .thenCompose(unused -> {
                    blocks.forEach(block -> done.addAll(block.join()));
                    return dependents.release(futures, done, edges);
                })
                .thenCompose(more -> idleSeats
                        .wake(futures)
                        .thenApply(unused -> new Committed(recorded, List.copyOf(futures.delivered()))));
    }

    private static Outcome ofEndedSession(LoadedFuture future, Map<ByteString, Optional<SessionRecord>> sessions) {
        ByteString id = future.record().getSchedulingSpec().getSession().getId();
        return new Outcome.Failed(SessionFence.failure(sessions.getOrDefault(id, Optional.empty()), id), true);
    }

    private void apply(FutureTransaction futures, LoadedFuture future, Outcome outcome) {
        if (outcome instanceof Outcome.Realized realized) {
            effects(future, realized).apply(futures.transaction());
        }
        recorder.end(futures, future, outcome);
    }

    /** Those of an outcome that has any; it travels alone. None where its future is gone. */
    private static Effects effects(List<LoadedFuture> loaded, Map<FutureId, Pending> batch) {
        if (batch.size() > 1 || loaded.isEmpty()) {
            return Effects.NONE;
        }
        Pending pending = batch.get(loaded.getFirst().id());
        return pending == null ? Effects.NONE : effects(loaded.getFirst(), pending.outcome());
    }

    /** A result that is computed again writes nothing: what it writes was written with the one that is lost. */
    private static Effects effects(LoadedFuture future, Outcome outcome) {
        return future.record().getReconstructions() == 0 ? outcome.effects() : Effects.NONE;
    }

    /** True after an unknown commit that did succeed: the record carries the token of this very claim. */
    private static boolean isOwnFormerOutcome(LoadedFuture future, Pending pending) {
        return future.record().getClaim().equals(pending.claimed().token())
                && (future.state() == State.STATE_REALIZED
                        || future.state() == State.STATE_FAILED
                        || (future.isBlock() && future.state() == State.STATE_CANCELLED));
    }
}
