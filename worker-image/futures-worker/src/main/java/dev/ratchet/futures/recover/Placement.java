/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.object.CopyRecords;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.record.FutureStore;
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

    /** Steps of a transfer, which are two unless others move the same result at the same time. */
    private static final int STEPS_MAX = 8;

    private final FutureStore store;
    private final Liveness liveness;
    private final Replication replication;
    private final CopyRecords records;

    public Placement(FutureStore store, Liveness liveness, Replication replication, CopyRecords records) {
        this.store = store;
        this.liveness = liveness;
        this.replication = replication;
        this.records = records;
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
                    .copy(stored(id, object), source(object.getCopiesList()), holders)
                    .thenCompose(copy -> copy.isEmpty()
                            ? CompletableFuture.completedFuture(seats(found))
                            : records.add(new ObjectName(id, object.getEpoch()), copy.get())
                                    .thenCompose(named -> named
                                            ? replicate(id, count)
                                            : object(id).thenApply(Placement::seats)));
        });
    }

    /**
     * Makes {@code seat} the only holder of a result.
     *
     * @return the seats that hold it now; empty for a result that is kept in its record
     * @throws IllegalArgumentException through the future, if there is no result or no such worker
     */
    public CompletableFuture<List<String>> transfer(FutureId id, String seat) {
        return transfer(id, seat, STEPS_MAX);
    }

    /**
     * Names the copy first, has its holder say that it is there, and only then drops the others. What is named is not
     * deleted without being dropped from the record, which the last step reads: others may move it meanwhile.
     */
    private CompletableFuture<List<String>> transfer(FutureId id, String seat, int steps) {
        Optional<Member> target = liveness.latest().stream()
                .filter(member -> member.seat().equals(seat))
                .findFirst();
        if (target.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("No worker has the seat " + seat));
        }
        return object(id).thenCompose(found -> {
            List<Copy> others = found.stream()
                    .flatMap(object -> object.getCopiesList().stream())
                    .filter(copy -> !copy.getSeat().equals(seat))
                    .toList();
            if (others.isEmpty() || steps == 0) {
                return CompletableFuture.completedFuture(seats(found));
            }
            StoredObject object = found.get();
            ObjectName name = new ObjectName(id, object.getEpoch());
            return replication
                    .copyTo(target.get(), stored(id, object), source(others))
                    .thenCompose(copy -> object.getCopiesList().contains(copy)
                            ? records.keepOnly(name, copy)
                            : records.add(name, copy))
                    .thenCompose(done -> transfer(id, seat, steps - 1));
        });
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

    private String source(List<Copy> copies) {
        return copies.stream()
                .filter(copy -> !liveness.isDead(copy.getSeat(), copy.getIncarnation()))
                .findFirst()
                .orElse(copies.get(0))
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
