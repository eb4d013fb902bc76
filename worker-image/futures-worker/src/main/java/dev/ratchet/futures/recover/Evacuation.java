/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import com.apple.foundationdb.async.AsyncUtil;
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
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the object store of a worker that is about to leave: a healthy worker makes a copy of each object, then the
 * record names that one instead of this. Where nobody can take an object it is recorded as LOST, to be computed again
 * if it is ever asked for; but the last copy of what can not be computed again stays, and this worker holds it until
 * somebody takes it or it is deleted. It holds it in a file from then on, so that the next process of the seat finds it
 * where the folder outlives this one. Where such a process is awaited all objects go to files, and only what has no
 * room there is handed over. An object is deleted here only after the record has stopped naming it.
 */
public final class Evacuation {

    private static final Logger LOG = LoggerFactory.getLogger(Evacuation.class);

    /** Objects on their way at once. */
    private static final int MOVED_AT_ONCE = 4;

    private final FutureStore store;
    private final Seat seat;
    private final Liveness liveness;
    private final ObjectStore objects;
    private final Replication replication;
    private final CopyRecords records;
    private final Copies copies;
    private final LongAdder movedBytes = new LongAdder();
    private final LongAdder releasedBytes = new LongAdder();
    /** Last copies that nobody has taken yet. */
    private final Set<ObjectName> kept = ConcurrentHashMap.newKeySet();

    private volatile Set<ObjectName> told = Set.of();
    /** Whether what is here stays, for the next process of the seat. */
    private volatile boolean keeps;

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
        keeps = false;
        // Who has begun to work in the place of this one may have done so since the last heartbeat.
        return liveness.refresh().thenCompose(unused -> handOverAll());
    }

    private CompletableFuture<Void> handOverAll() {
        List<Stored> all = objects.all();
        kept.retainAll(all.stream().map(Stored::name).toList());
        Queue<Stored> queue = new ConcurrentLinkedQueue<>(all);
        return AsyncUtil.whenAll(IntStream.range(0, MOVED_AT_ONCE)
                        .mapToObj(one -> next(queue))
                        .toList())
                .thenRun(() -> tell(all.size()));
    }

    /** Counts anew: what was moved before belongs to a drain that was called off. */
    public void begin() {
        movedBytes.reset();
        releasedBytes.reset();
    }

    /** Bytes that other workers were given since {@link #begin}. */
    public long movedBytes() {
        return movedBytes.sum();
    }

    /**
     * Bytes that had to move since {@link #begin}, because nobody else held them, and those that are still here, unless
     * they stay.
     */
    public long boundBytes() {
        return releasedBytes.sum() + (keeps ? 0 : objects.usedBytes());
    }

    /**
     * Completes when every object is in a file, which the next process of the seat finds; one that has no room there is
     * handed over, and where nobody takes it, this fails.
     */
    public CompletableFuture<Void> keep() {
        keeps = true;
        Queue<Stored> queue = new ConcurrentLinkedQueue<>(objects.all());
        return AsyncUtil.whenAll(IntStream.range(0, MOVED_AT_ONCE)
                        .mapToObj(one -> keepNext(queue))
                        .toList())
                .thenRun(() -> {
                    List<Stored> left = objects.all().stream()
                            .filter(object -> !objects.isInFile(object))
                            .toList();
                    if (!left.isEmpty()) {
                        throw new IllegalStateException("Neither files nor other workers have room for "
                                + left.size() + " objects of " + seat.name() + ", such as "
                                + left.getFirst().name() + ": give workers.objectStore.spill more room");
                    }
                });
    }

    private CompletableFuture<Void> keepNext(Queue<Stored> queue) {
        Stored object = queue.poll();
        return object == null
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.supplyAsync(
                                () -> writeDown(object), store.environment().blockingExecutor())
                        .thenCompose(written -> written ? CompletableFuture.completedFuture(null) : handOver(object))
                        .thenComposeAsync(
                                unused -> keepNext(queue), store.environment().executor());
    }

    private CompletableFuture<Void> handOver(Stored object) {
        return replication
                .copy(object, seat.name(), Set.of(seat.name()))
                .whenComplete((copy, failure) -> {
                    if (failure == null && copy.isPresent()) {
                        movedBytes.add(object.bytes());
                    }
                })
                .thenCompose(copy -> copy.isEmpty() && kept.contains(object.name())
                        ? CompletableFuture.completedFuture(null)
                        : release(object, copy));
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
                : handOver(object)
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
                                            return Ending.REDUNDANT;
                                        }))))
                .thenAcceptAsync(
                        ending -> {
                            if (ending == Ending.STAYS) {
                                var unused = writeDown(object);
                                kept.add(object.name());
                                return;
                            }
                            if (ending == Ending.MOVED) {
                                releasedBytes.add(object.bytes());
                            }
                            objects.delete(object.name());
                            kept.remove(object.name());
                        },
                        store.environment().blockingExecutor());
    }

    /** Whether it is in a file now, if it is still held. */
    private boolean writeDown(Stored object) {
        try {
            objects.writeDown(object);
            return true;
        } catch (IOException | UncheckedIOException | ObjectStoreFullException failure) {
            LOG.warn(
                    "a value that is to be in a file stays in memory: if nobody else has it, it is lost if this process"
                            + " ends before another worker takes it. object={}",
                    object.name(),
                    failure);
            return false;
        }
    }

    /** Has the record name the new copy in place of the one of this worker. */
    private Ending release(LoadedFuture future, Optional<Copy> usable) {
        boolean redundant = isElsewhere(future);
        usable.ifPresent(other -> Copies.add(future, other));
        if (!Reconstruction.isPossible(future) && !isElsewhere(future)) {
            return Ending.STAYS;
        }
        Copies.remove(future, replication.own());
        return redundant || usable.isEmpty() ? Ending.REDUNDANT : Ending.MOVED;
    }

    /** What became of an object: nobody takes it, it was needed here no more, or its only copy is elsewhere now. */
    private enum Ending {
        STAYS,
        REDUNDANT,
        MOVED
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
