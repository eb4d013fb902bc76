/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.object.CopyRecords;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Copy;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the object store of a worker that is about to leave: a healthy worker makes a copy of each object, then the
 * record names that one instead of this. Where nobody can take an object it is recorded as LOST, to be computed again
 * if it is ever asked for. An object is deleted here only after the record has stopped naming it.
 */
final class Evacuation {

    private static final Logger LOG = LoggerFactory.getLogger(Evacuation.class);

    /** Objects on their way at once. */
    private static final int LANES = 4;

    private final FutureStore store;
    private final Seat seat;
    private final ObjectStore objects;
    private final Replication replication;
    private final CopyRecords records;
    private final Copies copies;

    Evacuation(FutureStore store, Seat seat, ObjectStore objects, Replication replication, CopyRecords records) {
        this.store = store;
        this.seat = seat;
        this.objects = objects;
        this.replication = replication;
        this.records = records;
        this.copies = new Copies(store.keys());
    }

    /** Completes when this worker holds no object any more. */
    CompletableFuture<Void> run() {
        Queue<Stored> queue = new ConcurrentLinkedQueue<>(objects.all());
        int count = queue.size();
        return CompletableFuture.allOf(
                        IntStream.range(0, LANES).mapToObj(lane -> next(queue)).toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    if (count > 0) {
                        LOG.info("handed over the objects of this worker seat={} objects={}", seat.name(), count);
                    }
                });
    }

    private CompletableFuture<Void> next(Queue<Stored> queue) {
        Stored object = queue.poll();
        return object == null
                ? CompletableFuture.completedFuture(null)
                : replication
                        .copy(object, seat.name(), Set.of(seat.name()))
                        .thenCompose(copy -> release(object, copy))
                        .thenComposeAsync(
                                unused -> next(queue), store.environment().executor());
    }

    private CompletableFuture<Void> release(Stored object, Optional<Copy> copy) {
        return store.run(futures -> seat.fence(futures.transaction())
                        .thenCompose(unused -> usable(futures, copy))
                        .thenCompose(usable -> futures.load(object.name().future())
                                .thenAccept(loaded -> loaded.filter(future -> Copies.isResult(future, object.name()))
                                        .ifPresentOrElse(
                                                future -> {
                                                    usable.ifPresent(other -> copies.add(futures, future, other));
                                                    copies.remove(futures, future, replication.own());
                                                },
                                                () -> usable.ifPresent(
                                                        other -> copies.refuse(futures, object.name(), other))))))
                .thenRun(() -> objects.delete(object.name()));
    }

    /** The new copy, unless its holder has begun to leave meanwhile. */
    private CompletableFuture<Optional<Copy>> usable(FutureTransaction futures, Optional<Copy> copy) {
        return copy.isEmpty()
                ? CompletableFuture.completedFuture(copy)
                : records.mayHold(futures.transaction(), copy.get())
                        .thenApply(mayHold -> mayHold ? copy : Optional.empty());
    }
}
