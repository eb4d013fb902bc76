/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.object.CopyRecords;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Registers values that nobody has computed as realized futures. Such a value can not be computed again, so what a
 * client puts is held by two workers where there are two before it is recorded; what a task puts is held by its worker
 * alone, which loses both together. An id that is known already is left as it is.
 */
public final class ValueRegistration {

    /** Epoch of objects that no claim has made. */
    public static final long EPOCH = 0;

    private final FutureStore store;
    private final Seat seat;
    private final ObjectStore objects;
    private final Replication replication;
    private final CopyRecords records;
    private final Recorder recorder;
    private final Copies copies;

    public ValueRegistration(
            FutureStore store,
            Seat seat,
            ObjectStore objects,
            Replication replication,
            CopyRecords records,
            Recorder recorder) {
        this.store = store;
        this.seat = seat;
        this.objects = objects;
        this.replication = replication;
        this.records = records;
        this.recorder = recorder;
        this.copies = new Copies(store.keys());
    }

    /** Whether a value of this size is kept in the record. */
    public static boolean isInline(long bytes) {
        return bytes <= ValueSizes.INLINE_BYTES_MAX;
    }

    /** Whether there is a future with this id, whosoever it is. */
    public CompletableFuture<Boolean> isKnown(FutureId id) {
        return store.read(transaction -> store.keys().record(transaction, id))
                .thenApplyAsync(Optional::isPresent, store.environment().blockingExecutor());
    }

    /** Records a small value. */
    public CompletableFuture<Void> put(FutureId id, FutureRecord description, ByteString value) {
        return record(id, description, Result.newBuilder().setInline(value).build())
                .thenApply(created -> null);
    }

    /**
     * Records a value that is in the own object store under {@link #EPOCH}.
     *
     * @param count copies wanted in all, 1 or 2
     */
    public CompletableFuture<Void> put(FutureId id, FutureRecord description, Stored object, int count) {
        return CompletableFuture.runAsync(
                        () -> objects.preserve(object), store.environment().blockingExecutor())
                .thenCompose(unused -> putPreserved(id, description, object, count));
    }

    private CompletableFuture<Void> putPreserved(FutureId id, FutureRecord description, Stored object, int count) {
        CompletableFuture<List<Copy>> holders = count < 2
                ? CompletableFuture.completedFuture(List.of(replication.own()))
                : replication.copy(object, seat.name(), Set.of(seat.name())).thenApply(other -> {
                    List<Copy> both = new ArrayList<>(List.of(replication.own()));
                    other.ifPresent(both::add);
                    return both;
                });
        return holders.thenCompose(all -> record(
                        id,
                        description,
                        Result.newBuilder()
                                .setObject(StoredObject.newBuilder()
                                        .setBytes(object.bytes())
                                        .setChecksum(object.checksum())
                                        .setEpoch(EPOCH)
                                        .addAllCopies(all))
                                .build()))
                .thenAccept(mine -> {
                    if (!mine) {
                        objects.delete(object.name());
                    }
                });
    }

    /** Whether the record, now or by a former try, names the copy of this worker. Reads all that it needs at once. */
    private CompletableFuture<Boolean> record(FutureId id, FutureRecord description, Result result) {
        return store.run(futures -> {
            CompletableFuture<Void> fence = seat.fenceForWork(futures.transaction());
            CompletableFuture<List<Copy>> staying = staying(futures, result);
            ObjectName name = new ObjectName(id, EPOCH);
            return futures.load(id)
                    .thenCombine(staying, (known, copies) -> {
                        LoadedFuture future =
                                known.orElseGet(() -> create(futures, id, description, held(result, copies)));
                        refuse(futures, future, name, copies);
                        return future;
                    })
                    .thenCombine(fence, (future, unused) -> Copies.isNamed(future, name, replication.own()));
        });
    }

    /** Has others delete what came for an id that is known already. */
    private void refuse(FutureTransaction futures, LoadedFuture future, ObjectName name, List<Copy> staying) {
        staying.stream()
                .filter(copy -> !copy.equals(replication.own()) && !Copies.isNamed(future, name, copy))
                .forEach(copy -> copies.refuse(futures, name, copy));
    }

    /** The copies whose holders have not begun to leave. */
    private CompletableFuture<List<Copy>> staying(FutureTransaction futures, Result result) {
        CompletableFuture<List<Copy>> staying = CompletableFuture.completedFuture(List.of());
        for (Copy copy : result.getObject().getCopiesList()) {
            staying = staying.thenCombine(
                    records.mayHold(futures.transaction(), copy),
                    (others, mayHold) -> mayHold
                            ? Stream.concat(others.stream(), Stream.of(copy)).toList()
                            : others);
        }
        return staying;
    }

    /** The result with no other copies than these. */
    private static Result held(Result result, List<Copy> staying) {
        if (!result.hasObject()) {
            return result;
        }
        if (staying.isEmpty()) {
            throw new IllegalStateException("The worker that took the value is leaving; put it again");
        }
        return result.toBuilder()
                .setObject(result.getObject().toBuilder().clearCopies().addAllCopies(staying))
                .build();
    }

    /** Gives a future its value that nobody has computed, and nobody can compute again. */
    static void realize(LoadedFuture future, Result result) {
        future.apply(Event.SUBMIT_REALIZED);
        future.change()
                .setSchedulingSpec(
                        future.record().getSchedulingSpec().toBuilder().setNoReconstruction(true))
                .setResult(result);
    }

    private LoadedFuture create(FutureTransaction futures, FutureId id, FutureRecord description, Result result) {
        LoadedFuture future = futures.create(
                id,
                description.toBuilder()
                        .setSubmittedWallMillis(store.environment().wallClockMillis()));
        realize(future, result);
        recorder.done(futures, future);
        return future;
    }
}
