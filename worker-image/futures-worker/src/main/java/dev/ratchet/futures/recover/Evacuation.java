/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.object.CopyRecords;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.object.ObjectStoreFullException;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Copy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the object store of a worker that is about to leave: a healthy worker makes a copy of each object, then the
 * record names that one instead of this. Where nobody can take an object it is recorded as LOST, to be computed again
 * if it is ever asked for; but the last copy of what can not be computed again stays, and this worker holds it until
 * somebody takes it or it is deleted. It holds it in a file from then on, so that the next process of the seat finds it
 * where the folder outlives this one. An object is deleted here only after the record has stopped naming it.
 */
public final class Evacuation {

    private static final Logger LOG = LoggerFactory.getLogger(Evacuation.class);

    /** Objects on their way at once. */
    private static final int LANES = 4;

    private final FutureStore store;
    private final Seat seat;
    private final Liveness liveness;
    private final ObjectStore objects;
    private final Replication replication;
    private final CopyRecords records;
    private final Copies copies;
    /** Last copies that nobody has taken yet. */
    private final Set<ObjectName> kept = ConcurrentHashMap.newKeySet();

    private volatile Set<ObjectName> told = Set.of();

    public Evacuation(
            FutureStore store,
            Seat seat,
            Liveness liveness,
            ObjectStore objects,
            Replication replication,
            CopyRecords records) {
        this.store = store;
        this.seat = seat;
        this.liveness = liveness;
        this.objects = objects;
        this.replication = replication;
        this.records = records;
        this.copies = new Copies(store.keys());
    }

    /** Completes when this worker holds no object any more but the last copies of what can not be computed again. */
    public CompletableFuture<Void> run() {
        List<Stored> all = objects.all();
        kept.retainAll(all.stream().map(Stored::name).toList());
        Queue<Stored> queue = new ConcurrentLinkedQueue<>(all);
        return CompletableFuture.allOf(
                        IntStream.range(0, LANES).mapToObj(lane -> next(queue)).toArray(CompletableFuture[]::new))
                .thenRun(() -> tell(all.size()));
    }

    private void tell(int count) {
        Set<ObjectName> left = Set.copyOf(kept);
        if (count > left.size()) {
            LOG.info("handed over the objects of this worker seat={} objects={}", seat.name(), count - left.size());
        }
        if (!left.isEmpty() && !left.equals(told)) {
            LOG.warn(
                    "This worker holds the last copy of values that can not be computed again, and no healthy worker"
                            + " has room for them. It waits for one; or delete their futures. seat={} objects={}"
                            + " bytes={} one={}",
                    seat.name(),
                    left.size(),
                    objects.all().stream()
                            .filter(object -> left.contains(object.name()))
                            .mapToLong(Stored::bytes)
                            .sum(),
                    left.iterator().next().future());
        }
        told = left;
    }

    private CompletableFuture<Void> next(Queue<Stored> queue) {
        Stored object = queue.poll();
        return object == null
                ? CompletableFuture.completedFuture(null)
                : replication
                        .copy(object, seat.name(), Set.of(seat.name()))
                        .thenCompose(copy -> copy.isEmpty() && kept.contains(object.name())
                                ? CompletableFuture.completedFuture(null)
                                : release(object, copy))
                        .thenComposeAsync(
                                unused -> next(queue), store.environment().executor());
    }

    private CompletableFuture<Void> release(Stored object, Optional<Copy> copy) {
        return store.run(futures -> seat.fence(futures.transaction())
                        .thenCompose(unused -> usable(futures, copy))
                        .thenCompose(usable -> futures.load(object.name().future())
                                .thenApply(loaded -> loaded.filter(future -> Copies.isResult(future, object.name()))
                                        .map(future -> release(future, usable))
                                        .orElseGet(() -> {
                                            usable.ifPresent(other -> copies.refuse(futures, object.name(), other));
                                            return true;
                                        }))))
                .thenAcceptAsync(
                        released -> {
                            if (released) {
                                objects.delete(object.name());
                                kept.remove(object.name());
                            } else {
                                writeDown(object);
                                kept.add(object.name());
                            }
                        },
                        store.environment().blockingExecutor());
    }

    private void writeDown(Stored object) {
        try {
            objects.writeDown(object);
        } catch (IOException | UncheckedIOException | ObjectStoreFullException failure) {
            LOG.warn(
                    "the last copy of a value that can not be computed again stays in memory: it is lost if this"
                            + " process ends before another worker takes it. object={}",
                    object.name(),
                    failure);
        }
    }

    /** Whether the record does not name the copy of this worker any more. */
    private boolean release(LoadedFuture future, Optional<Copy> usable) {
        usable.ifPresent(other -> Copies.add(future, other));
        if (!Reconstruction.isPossible(future) && !isElsewhere(future)) {
            return false;
        }
        Copies.remove(future, replication.own());
        return true;
    }

    /** Whether somebody else holds it who is not known to be gone. */
    private boolean isElsewhere(LoadedFuture future) {
        return future.record().getResult().getObject().getCopiesList().stream()
                .anyMatch(copy ->
                        !copy.equals(replication.own()) && !liveness.isDead(copy.getSeat(), copy.getIncarnation()));
    }

    /** The new copy, unless its holder has begun to leave meanwhile. */
    private CompletableFuture<Optional<Copy>> usable(FutureTransaction futures, Optional<Copy> copy) {
        return copy.isEmpty()
                ? CompletableFuture.completedFuture(copy)
                : records.mayHold(futures.transaction(), copy.get())
                        .thenApply(mayHold -> mayHold ? copy : Optional.empty());
    }
}
