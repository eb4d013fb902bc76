/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends futures without a result. What depends on them fails; the worker that runs one is told and interrupts it. */
public final class Cancellation {

    /** Most futures of one transaction. */
    public static final int BATCH_MAX = 100;

    /** Which no claimed future has. */
    private static final ClaimToken NO_CLAIM = ClaimToken.getDefaultInstance();

    private static final String KILLED = "dev.ratchet.client.AttemptKilled";

    private final FutureStore store;
    private final Recorder recorder;
    private final Dependents dependents;
    private final CallOrder callOrder;
    private final IdleSeats idleSeats;

    public Cancellation(FutureStore store, Recorder recorder, Dependents dependents) {
        this.store = store;
        this.recorder = recorder;
        this.dependents = dependents;
        this.callOrder = new CallOrder(store.keys(), dependents);
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * Cancels up to {@value #BATCH_MAX} futures and whatever their code has submitted, to any depth. Repeating it goes
     * on where a former call was cut short.
     *
     * @return those of {@code ids} that are cancelled now
     */
    public CompletableFuture<List<FutureId>> cancelTree(Collection<FutureId> ids) {
        return cancel(ids).thenCompose(cancelled -> cancelChildren(new ArrayDeque<>(cancelled))
                .thenApply(unused -> cancelled));
    }

    private CompletableFuture<Void> cancelChildren(Deque<FutureId> parents) {
        FutureId parent = parents.poll();
        if (parent == null) {
            return CompletableFuture.completedFuture(null);
        }
        Range all = store.keys().children.range(parent.value());
        return cancelChildren(all.begin, all.end, parents).thenCompose(unused -> cancelChildren(parents));
    }

    private CompletableFuture<Void> cancelChildren(byte[] from, byte[] end, Deque<FutureId> parents) {
        return store.read(transaction -> transaction
                        .getRange(from, end, BATCH_MAX, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> {
                    List<FutureId> children = found.stream()
                            .map(pair -> new FutureId(store.keys()
                                    .children
                                    .elements(pair.getKey())
                                    .getUUID(1)))
                            .toList();
                    if (children.isEmpty()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    parents.addAll(children);
                    byte[] next = ByteArrayUtil.keyAfter(found.getLast().getKey());
                    return cancel(children)
                            .thenCompose(unused -> children.size() < BATCH_MAX
                                    ? CompletableFuture.completedFuture(null)
                                    : cancelChildren(next, end, parents));
                });
    }

    /**
     * Ends the running attempts of up to {@value #BATCH_MAX} futures, which count as lost; those that were running.
     * What is repeated after a commit of unknown result ends no attempt that has begun since.
     */
    public CompletableFuture<List<FutureId>> kill(Collection<FutureId> ids) {
        Map<FutureId, ClaimToken> meant = new ConcurrentHashMap<>();
        AtomicBoolean again = new AtomicBoolean();
        return store.run(futures -> futures.loadAll(ids).thenCompose(loaded -> {
            if (!again.getAndSet(true)) {
                loaded.stream()
                        .filter(future -> future.state() == State.STATE_CLAIMED)
                        .forEach(
                                future -> meant.put(future.id(), future.record().getClaim()));
            }
            List<LoadedFuture> running = loaded.stream()
                    .filter(future -> future.isClaimedBy(meant.getOrDefault(future.id(), NO_CLAIM)))
                    .toList();
            List<FutureId> killed = loaded.stream()
                    .filter(future -> running.contains(future)
                            || (meant.containsKey(future.id())
                                    && isKill(future.record().getFailure())))
                    .map(LoadedFuture::id)
                    .toList();
            for (LoadedFuture future : running) {
                ClaimToken claim = future.record().getClaim();
                futures.mail(claim.getSeat(), future.id());
                recorder.fail(futures, future, killed(claim), false);
            }
            List<LoadedFuture> ended = running.stream()
                    .filter(future -> Lifecycle.isDone(future.state()))
                    .toList();
            return dependents
                    .release(futures, ended)
                    .thenCompose(more -> idleSeats.wake(futures).thenApply(unused -> killed));
        }));
    }

    /** Whether somebody has killed the attempt that failed so. */
    static boolean isKill(Failure failure) {
        return failure.getType().equals(KILLED);
    }

    private static Failure killed(ClaimToken claim) {
        return Failures.of(
                FailureKind.FAILURE_KIND_WORKER_LOST,
                KILLED,
                "The attempt on " + claim.getSeat() + " was killed.",
                claim.getSeat());
    }

    /** Cancels up to {@value #BATCH_MAX} futures; those that are cancelled now, by this call or before. */
    public CompletableFuture<List<FutureId>> cancel(Collection<FutureId> ids) {
        return store.run(futures -> record(futures, ids));
    }

    /**
     * As {@link #cancel}, and releases what still waits for any of them, however many transactions that takes. Nothing
     * does any more then that would have to find their records.
     */
    public CompletableFuture<Void> cancelAndRelease(Collection<FutureId> ids) {
        return cancel(ids).thenCompose(unused -> releaseRest(ids));
    }

    private CompletableFuture<Void> releaseRest(Collection<FutureId> ids) {
        return store.run(futures -> dependents
                        .unsettled(futures.transaction().snapshot(), ids)
                        .thenCompose(futures::loadAll)
                        .thenCompose(loaded -> dependents.release(futures, loaded))
                        .thenCompose(more -> idleSeats.wake(futures).thenApply(unused -> more)))
                .thenComposeAsync(
                        more -> more ? releaseRest(ids) : CompletableFuture.completedFuture(null),
                        store.environment().executor());
    }

    /** As {@link #cancel}, within a transaction that somebody else commits. */
    public CompletableFuture<List<FutureId>> record(FutureTransaction futures, Collection<FutureId> ids) {
        return futures.loadAll(ids).thenCompose(loaded -> cancel(futures, loaded));
    }

    private CompletableFuture<List<FutureId>> cancel(FutureTransaction futures, List<LoadedFuture> loaded) {
        List<LoadedFuture> ended = new ArrayList<>();
        CompletableFuture<Void> edges = CompletableFuture.completedFuture(null);
        for (LoadedFuture future : loaded) {
            if (Lifecycle.allows(future.state(), Event.CANCEL)) {
                if (future.state() == State.STATE_WAITING) {
                    // One after the other: what one call leaves behind may be the next one.
                    edges = edges.thenCompose(unused -> callOrder.leave(futures, future))
                            .thenCompose(unused -> dependents.disconnect(futures.transaction(), future.id()));
                }
                recorder.cancel(futures, future);
                ended.add(future);
            }
        }
        List<FutureId> cancelled = loaded.stream()
                .filter(future -> future.state() == State.STATE_CANCELLED)
                .map(LoadedFuture::id)
                .toList();
        return edges.thenCompose(unused -> dependents.release(futures, ended))
                .thenCompose(more -> idleSeats.wake(futures).thenApply(unused -> cancelled));
    }
}
