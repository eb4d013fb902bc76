/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lineage: puts a future whose result is lost back into the queue. Whoever needs the result does it and then waits like
 * for any other upstream, holding no slot; so that chains of any depth are computed again from their first loss on, and
 * no number of workers deadlocks. A result counts as lost only while its record names the very copies that the caller
 * has found missing.
 */
public final class Reconstruction {

    /** How often one future's result may be lost. */
    static final int RECONSTRUCTIONS_MAX = 100;

    /** Upstreams that one transaction queues again. */
    private static final int REVIVED_AT_ONCE = 200;

    private static final Logger LOG = LoggerFactory.getLogger(Reconstruction.class);

    /** After so long it is looked again whether a seat has a process. */
    private static final long SEAT_RETRY_MILLIS = 3_000;

    private final FutureStore store;
    private final Recorder recorder;
    private final Dependents dependents;
    private final IdleSeats idleSeats;

    public Reconstruction(FutureStore store, Recorder recorder, Dependents dependents) {
        this.store = store;
        this.recorder = recorder;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * Gives a claim back to wait for upstreams that have no value now; those that are lost are queued.
     *
     * @param upstreams with each one the object of which no copy was found, if that was the reason
     * @return whether the claim was still in force
     */
    public CompletableFuture<Boolean> awaitUpstreams(
            Seat seat, Claimed claimed, Map<FutureId, Optional<StoredObject>> upstreams) {
        return reviveFrom(0, List.copyOf(upstreams.keySet()), seat, claimed, upstreams)
                .thenCompose(revived -> revived
                        ? reviveAll(seat, claimed, upstreams, this::giveBack)
                        : CompletableFuture.completedFuture(false));
    }

    /** Queues those that are lost, some at a time, but for the last ones; whether the claim still was in force. */
    private CompletableFuture<Boolean> reviveFrom(
            int from, List<FutureId> ids, Seat seat, Claimed claimed, Map<FutureId, Optional<StoredObject>> upstreams) {
        int to = from + REVIVED_AT_ONCE;
        if (to >= ids.size()) {
            return CompletableFuture.completedFuture(true);
        }
        Map<FutureId, Optional<StoredObject>> some = new LinkedHashMap<>();
        ids.subList(from, to).forEach(id -> some.put(id, upstreams.getOrDefault(id, Optional.empty())));
        return reviveAll(seat, claimed, some, (futures, future, waiting) -> idleSeats.wake(futures))
                .thenCompose(inForce -> inForce
                        ? reviveFrom(to, ids, seat, claimed, upstreams)
                        : CompletableFuture.completedFuture(false));
    }

    /** What is done with a claimed future some of whose upstreams have no value now. */
    private interface Waiting {
        CompletableFuture<Void> await(FutureTransaction futures, LoadedFuture future, List<LoadedFuture> waiting);
    }

    private CompletableFuture<Boolean> reviveAll(
            Seat seat, Claimed claimed, Map<FutureId, Optional<StoredObject>> upstreams, Waiting then) {
        return store.run(futures -> seat.fence(futures.transaction())
                .thenCompose(unused -> futures.load(claimed.id()))
                .thenCompose(loaded -> {
                    if (loaded.isEmpty() || !loaded.get().isClaimedBy(claimed.token())) {
                        return CompletableFuture.completedFuture(false);
                    }
                    return reviveAll(futures, upstreams)
                            .thenCompose(waiting -> then.await(futures, loaded.get(), waiting))
                            .thenApply(unused -> true);
                }));
    }

    /**
     * Gives a claim back for a while, because upstreams have their values in files of seats that have no process now.
     *
     * @return whether the claim was still in force
     */
    public CompletableFuture<Boolean> awaitSeats(Seat seat, Claimed claimed, List<String> seats) {
        LOG.info(
                "a future waits for values in files of seats without a process future={} seats={}",
                claimed.id(),
                seats);
        return store.run(futures -> seat.fence(futures.transaction())
                .thenCompose(unused -> futures.load(claimed.id()))
                .thenApply(loaded -> {
                    Optional<LoadedFuture> inForce = loaded.filter(future -> future.isClaimedBy(claimed.token()));
                    inForce.ifPresent(future -> {
                        future.change()
                                .setNotBeforeWallMillis(store.environment().wallClockMillis() + SEAT_RETRY_MILLIS);
                        recorder.giveBack(futures, future);
                    });
                    return inForce.isPresent();
                }));
    }

    private CompletableFuture<Void> giveBack(
            FutureTransaction futures, LoadedFuture future, List<LoadedFuture> waiting) {
        if (waiting.isEmpty()) {
            recorder.giveBack(futures, future);
        } else {
            Recorder.forgive(future);
            future.apply(Event.AWAIT_UPSTREAM);
            waiting.forEach(upstream -> dependents.connect(futures.transaction(), future.id(), upstream.id()));
        }
        return idleSeats.wake(futures);
    }

    private CompletableFuture<List<LoadedFuture>> reviveAll(
            FutureTransaction futures, Map<FutureId, Optional<StoredObject>> upstreams) {
        return futures.loadAll(upstreams.keySet()).thenCompose(loaded -> {
            for (LoadedFuture future : loaded) {
                revive(futures, future, upstreams.getOrDefault(future.id(), Optional.empty()));
            }
            List<LoadedFuture> failed = loaded.stream()
                    .filter(future -> future.state() == State.STATE_FAILED)
                    .toList();
            return dependents.release(futures, failed).thenApply(unused -> loaded.stream()
                    .filter(future -> !Lifecycle.isDone(future.state()))
                    .toList());
        });
    }

    /** Whether the result can be computed again should it be lost. */
    static boolean isPossible(LoadedFuture future) {
        return !future.record().getSchedulingSpec().getNoReconstruction()
                && future.record().getReconstructions() < RECONSTRUCTIONS_MAX;
    }

    /**
     * Queues the future if it is LOST, or REALIZED with exactly the object that was found missing. The caller wakes
     * workers afterwards.
     *
     * @return whether the future has become FAILED by this: the caller releases its dependents
     */
    public boolean revive(FutureTransaction futures, LoadedFuture future, Optional<StoredObject> missing) {
        if (future.state() == State.STATE_REALIZED
                && missing.isPresent()
                && future.record().getResult().getObject().equals(missing.get())) {
            Copies.lose(future);
        }
        if (future.state() != State.STATE_LOST) {
            return false;
        }
        if (!isPossible(future)) {
            giveUp(futures, future);
            return true;
        }
        Recorder.forgive(future);
        future.change()
                .setReconstructions(future.record().getReconstructions() + 1)
                .setDoneWallMillis(0);
        futures.count(future.record().getJob(), "recomputed", "", 1);
        futures.ready(future, Event.RECONSTRUCT);
        return false;
    }

    private void giveUp(FutureTransaction futures, LoadedFuture future) {
        future.apply(Event.GIVE_UP);
        if (future.record().getFailure().getKind() != FailureKind.FAILURE_KIND_OBJECT_LOST) {
            future.change()
                    .setFailure(lost(
                            future,
                            future.record().getSchedulingSpec().getNoReconstruction()
                                    ? "with the workers that held it, and can not or must not be computed again."
                                    : "more than " + RECONSTRUCTIONS_MAX + " times with the workers that held it."));
        }
        recorder.done(futures, future);
    }

    /** Why a result is lost for good; {@code how} ends the sentence. */
    static Failure lost(LoadedFuture future, String how) {
        return Failures.of(
                FailureKind.FAILURE_KIND_OBJECT_LOST,
                "dev.ratchet.client.ObjectLostException",
                "The result of " + future.id() + " was lost " + how,
                "");
    }
}
