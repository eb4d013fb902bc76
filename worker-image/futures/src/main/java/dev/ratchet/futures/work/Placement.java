/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Says where a result is held: by more workers, or by another one. First the bytes are copied, then the record names
 * the copy, and only then the former holder is told to delete its own; whatever dies in between, the record names
 * copies that exist.
 */
public final class Placement {

    /** Most copies of one result. */
    public static final int COPIES_MAX = 16;

    private final FutureStore store;
    private final Liveness liveness;
    private final Replication replication;
    private final Copies copies;

    Placement(FutureStore store, Liveness liveness, Replication replication) {
        this.store = store;
        this.liveness = liveness;
        this.replication = replication;
        this.copies = new Copies(store.keys());
    }

    /**
     * Sees to it that a result has at least {@code count} copies, as far as there are healthy workers.
     *
     * @return the seats that hold it; empty for a result that is kept in its record
     * @throws IllegalArgumentException through the future, if there is no result
     */
    public CompletableFuture<List<String>> replicate(FutureId id, int count) {
        if (count < 1 || count > COPIES_MAX) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("A result has 1 to " + COPIES_MAX + " copies, not " + count));
        }
        return object(id).thenCompose(found -> {
            if (found.isEmpty() || found.get().getCopiesCount() >= count) {
                return CompletableFuture.completedFuture(seats(found));
            }
            StoredObject object = found.get();
            Set<String> holders = new HashSet<>(seats(found));
            return replication
                    .copy(stored(id, object), source(object), holders)
                    .thenCompose(copy -> copy.isEmpty()
                            ? CompletableFuture.completedFuture(seats(found))
                            : record(id, object, copy.get(), false).thenCompose(unused -> replicate(id, count)));
        });
    }

    /**
     * Makes {@code seat} the only holder of a result.
     *
     * @return the seats that hold it now; empty for a result that is kept in its record
     * @throws IllegalArgumentException through the future, if there is no result or no such worker
     */
    public CompletableFuture<List<String>> transfer(FutureId id, String seat) {
        Optional<Member> target = liveness.latest().stream()
                .filter(member -> member.seat().equals(seat))
                .findFirst();
        if (target.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("No worker has the seat " + seat));
        }
        return object(id).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(List.of());
            }
            StoredObject object = found.get();
            return object.getCopiesList().stream()
                    .filter(copy -> copy.getSeat().equals(seat))
                    .findFirst()
                    .map(CompletableFuture::completedFuture)
                    .orElseGet(() -> replication.copyTo(target.get(), stored(id, object), source(object)))
                    .thenCompose(copy -> record(id, object, copy, true))
                    .thenCompose(unused -> object(id))
                    .thenApply(Placement::seats);
        });
    }

    /** Records a copy of an object if that still is the result and the holder stays; maybe as the only one. */
    CompletableFuture<Void> record(FutureId id, StoredObject object, Copy copy, boolean only) {
        return store.run(
                futures -> replication.mayHold(futures.transaction(), copy).thenCompose(mayHold -> futures.load(id)
                        .thenAccept(loaded -> loaded.filter(future ->
                                        mayHold && Copies.isResult(future, new ObjectName(id, object.getEpoch())))
                                .ifPresent(future -> apply(futures, future, copy, only)))));
    }

    private void apply(FutureTransaction futures, LoadedFuture future, Copy copy, boolean only) {
        copies.add(futures, future, copy);
        if (only) {
            future.record().getResult().getObject().getCopiesList().stream()
                    .filter(other -> !other.equals(copy))
                    .forEach(other -> copies.drop(futures, future, other));
        }
    }

    private CompletableFuture<Optional<StoredObject>> object(FutureId id) {
        return store.read(transaction -> store.keys().record(transaction, id)).thenApply(record -> {
            State state = record.map(FutureRecord::getState).orElse(State.STATE_UNSPECIFIED);
            if (state != State.STATE_REALIZED) {
                throw new IllegalArgumentException("The future " + id + " has no result now");
            }
            return record.map(FutureRecord::getResult)
                    .filter(result -> result.hasObject())
                    .map(result -> result.getObject());
        });
    }

    private String source(StoredObject object) {
        return object.getCopiesList().stream()
                .filter(copy -> !liveness.isDead(copy.getSeat(), copy.getIncarnation()))
                .findFirst()
                .orElse(object.getCopies(0))
                .getSeat();
    }

    private static Stored stored(FutureId id, StoredObject object) {
        return new Stored(new ObjectName(id, object.getEpoch()), object.getBytes(), object.getChecksum());
    }

    private static List<String> seats(Optional<StoredObject> object) {
        return object.stream()
                .flatMap(found -> found.getCopiesList().stream())
                .map(Copy::getSeat)
                .toList();
    }
}
