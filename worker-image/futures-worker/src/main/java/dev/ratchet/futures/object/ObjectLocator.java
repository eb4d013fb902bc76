/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the value of a future: in its record, in the own object store, or with a worker that holds a copy. A holder
 * that does not answer is suspected and asked again until it answers or is dead; only then is its copy gone. An own
 * copy is gone once it is damaged or missing; where it can not be read for another reason, another one is, or it later.
 * Safe for use by several threads.
 */
public final class ObjectLocator {

    /** Largest value that is loaded into memory. */
    public static final long VALUE_BYTES_MAX = 1L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(ObjectLocator.class);
    private static final long RETRY_MILLIS = 200;

    /** Messages on their way at once: what is in memory of an object that goes straight to where it belongs. */
    private static final int WINDOW = 16;

    /** A holder that neither answers nor dies is given up after so many tries (about two minutes). */
    private static final int TRIES_MAX = 600;

    /** Looks at whether what is to be deleted here is, before its copy is refused (about ten seconds). */
    private static final int DELETION_TRIES_MAX = 50;

    /** What was found. */
    public sealed interface Found {
        /** The future is realized, and this is its value. */
        record Value(byte[] bytes) implements Found {}

        /** Its value is held here; to be closed. */
        record Here(HeldObject object) implements Found {}

        /** It was realized, but no copy of that result is left. */
        record Lost(FutureRecord record) implements Found {}

        /** It is realized, and the last copies are in files of these seats, which have no process now. */
        record Away(FutureRecord record, List<String> seats) implements Found {}

        /** It has no value: in another state than REALIZED, or unknown. */
        record Absent(Optional<FutureRecord> record) implements Found {}
    }

    /** A copy with the address of its holder. */
    public record Source(Copy copy, String address) {}

    /**
     * The record and its copies.
     *
     * @param alive those whose holders are not known to be gone
     * @param away seats that have no process now, and whose next one will find a copy in its files
     */
    public record Sources(Optional<FutureRecord> record, List<Source> alive, List<String> away) {
        Sources withAlive(List<Source> left) {
            return new Sources(record, left, away);
        }
    }

    private final FutureStore store;
    private final Members members;
    private final Liveness liveness;
    private final ObjectStore objects;
    private final ObjectClient client;
    private final Replicas replicas;
    private final CopyRecords records;

    public ObjectLocator(
            FutureStore store,
            Seat seat,
            Members members,
            Liveness liveness,
            ObjectStore objects,
            ObjectClient client) {
        this.store = store;
        this.members = members;
        this.liveness = liveness;
        this.objects = objects;
        this.client = client;
        this.records = new CopyRecords(store, members);
        this.replicas = new Replicas(seat, objects, records);
    }

    /** The value of a future, in the heap. */
    public CompletableFuture<Found> load(FutureId id) {
        return load(id, false, TRIES_MAX);
    }

    /** Where the value of a future is by the records; moves nothing of it. */
    public CompletableFuture<Sources> look(FutureId id) {
        return store.read(transaction -> sources(transaction, id));
    }

    /** That there is no value, if {@link #look} is enough to tell. */
    public Optional<Found> missing(FutureId id, Sources sources) {
        Optional<FutureRecord> record = sources.record();
        if (record.isEmpty() || record.get().getState() != State.STATE_REALIZED) {
            return Optional.of(new Found.Absent(record));
        }
        StoredObject object = record.get().getResult().getObject();
        return record.get().getResult().hasObject()
                        && sources.alive().isEmpty()
                        && objects.find(new ObjectName(id, object.getEpoch())).isEmpty()
                ? Optional.of(unreachable(record.get(), sources.away()))
                : Optional.empty();
    }

    private static Found unreachable(FutureRecord record, List<String> away) {
        return away.isEmpty() ? new Found.Lost(record) : new Found.Away(record, away);
    }

    /**
     * The value of a future.
     *
     * @param sources what {@link #look} has told
     * @param here whether a large one is to come into the own store, where that has room for it
     */
    public CompletableFuture<Found> load(FutureId id, Sources sources, boolean here) {
        return load(id, sources, here, TRIES_MAX);
    }

    private CompletableFuture<Found> load(FutureId id, boolean here, int tries) {
        return look(id).thenCompose(sources -> load(id, sources, here, tries));
    }

    private CompletableFuture<Found> load(FutureId id, Sources sources, boolean here, int tries) {
        Optional<Found> missing = missing(id, sources);
        if (missing.isPresent()) {
            return CompletableFuture.completedFuture(missing.get());
        }
        FutureRecord record = sources.record().orElseThrow();
        return record.getResult().hasObject()
                ? loadObject(id, record, sources, here, tries)
                : CompletableFuture.completedFuture(
                        new Found.Value(record.getResult().getInline().toByteArray()));
    }

    private CompletableFuture<Found> loadObject(
            FutureId id, FutureRecord record, Sources sources, boolean here, int tries) {
        StoredObject object = record.getResult().getObject();
        ObjectName name = new ObjectName(id, object.getEpoch());
        Optional<ObjectStore.Stored> own = objects.find(name);
        if (own.isPresent()) {
            return CompletableFuture.supplyAsync(() -> readOwn(own.get(), here), readers(own.get()))
                    .handle((found, failure) -> {
                        if (failure == null) {
                            return CompletableFuture.completedFuture(found);
                        }
                        if (failure.getCause() instanceof IOException unreadable) {
                            return loadUnreadable(id, record, sources, here, tries, unreadable);
                        }
                        return CompletableFuture.<Found>failedFuture(failure);
                    })
                    .thenCompose(next -> next);
        }
        return loadElsewhere(id, record, sources, here, tries);
    }

    /** What may read an object of the own store. */
    Executor readers(ObjectStore.Stored own) {
        return objects.isInFile(own) ? store.environment().blockingExecutor() : Runnable::run;
    }

    private Found readOwn(ObjectStore.Stored own, boolean here) {
        try {
            return here ? new Found.Here(objects.hold(own)) : new Found.Value(objects.read(own));
        } catch (IOException unreadable) {
            throw new CompletionException(unreadable);
        }
    }

    /** What can not be read here is read elsewhere; where it is nowhere else, here again unless it is gone. */
    private CompletableFuture<Found> loadUnreadable(
            FutureId id, FutureRecord record, Sources sources, boolean here, int tries, IOException failure) {
        ObjectName name = new ObjectName(id, record.getResult().getObject().getEpoch());
        Sources others = others(sources);
        if (DamagedObjectException.isGone(failure)) {
            LOG.warn("an object is damaged on disk object={}", name, failure);
            objects.delete(name);
            forget(name, replicas.own());
        } else {
            LOG.warn(
                    "an object can not be read now object={} otherCopies={}",
                    name,
                    others.alive().size(),
                    failure);
            objects.counters().unreadable.increment();
        }
        return loadElsewhere(id, record, others, here, tries);
    }

    /** Of the copies of an object those that are not in the own store. */
    Sources others(Sources sources) {
        return sources.withAlive(sources.alive().stream()
                .filter(source -> !source.copy().equals(replicas.own()))
                .toList());
    }

    private CompletableFuture<Found> loadElsewhere(
            FutureId id, FutureRecord record, Sources sources, boolean here, int tries) {
        StoredObject object = record.getResult().getObject();
        ObjectName name = new ObjectName(id, object.getEpoch());
        List<Source> alive = sources.alive();
        if (alive.isEmpty()) {
            return objects.find(name).isPresent()
                    ? again(
                            id,
                            new IOException("The only copy of " + name + " is here and can not be read"),
                            here,
                            tries)
                    : CompletableFuture.completedFuture(unreachable(record, sources.away()));
        }
        Source source = alive.get(store.environment().random().nextInt(alive.size()));
        return GuardedCallbacks.begin(() -> here || replicas.isWanted(name, object.getBytes())
                        ? fetchToKeep(source, name, object, here)
                        : fetch(source, name, object))
                .handle((found, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(found);
                    }
                    List<Source> others = new ArrayList<>(alive);
                    others.remove(source);
                    if (isGone(failure)) {
                        forget(name, source.copy());
                    }
                    return isGone(failure)
                            ? loadElsewhere(id, record, sources.withAlive(others), here, tries)
                            : askAgain(id, source, failure, here, tries);
                })
                .thenCompose(next -> next);
    }

    private CompletableFuture<Found> askAgain(FutureId id, Source source, Throwable failure, boolean here, int tries) {
        liveness.suspect(source.copy().getSeat(), source.copy().getIncarnation());
        return again(id, failure, here, tries);
    }

    private CompletableFuture<Found> again(FutureId id, Throwable failure, boolean here, int tries) {
        if (tries <= 0) {
            return CompletableFuture.failedFuture(failure);
        }
        return later(() -> load(id, here, tries - 1));
    }

    private <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> action) {
        CompletableFuture<T> later = new CompletableFuture<>();
        var unused = store.environment()
                .schedule(RETRY_MILLIS, () -> GuardedCallbacks.begin(action).whenComplete((result, problem) -> {
                    if (problem != null) {
                        later.completeExceptionally(problem);
                    } else {
                        later.complete(result);
                    }
                }));
        return later;
    }

    private CompletableFuture<Found> fetch(Source source, ObjectName name, StoredObject object) {
        if (object.getBytes() > VALUE_BYTES_MAX) {
            return CompletableFuture.failedFuture(new IllegalStateException("The value of " + name.future()
                    + " is too large to be loaded: bytes=" + object.getBytes() + " limit=" + VALUE_BYTES_MAX));
        }
        ByteBuffer whole = ByteBuffer.allocate((int) object.getBytes());
        return client.fetch(source.copy().getSeat(), source.address(), name, WINDOW, (content, next) -> {
                    content.copyTo(whole);
                    next.run();
                })
                .thenApply(unused -> {
                    CRC32C checksum = new CRC32C();
                    checksum.update(whole.array());
                    if (whole.hasRemaining() || (int) checksum.getValue() != object.getChecksum()) {
                        throw new StatusRuntimeException(
                                Status.NOT_FOUND.withDescription("The object " + name + " has arrived damaged"));
                    }
                    objects.counters().fetchedBytes.add(whole.capacity());
                    return new Found.Value(whole.array());
                });
    }

    /** For what is needed here again and again: makes a copy, has the record name it, and reads that. */
    private CompletableFuture<Found> fetchToKeep(Source source, ObjectName name, StoredObject object, boolean here) {
        return replicas.keep(
                        name,
                        () -> copy(
                                source.copy().getSeat(),
                                source.address(),
                                name,
                                object.getBytes(),
                                object.getChecksum()))
                .handle((stored, failure) -> {
                    if (failure != null && isGone(failure)) {
                        return CompletableFuture.<Found>failedFuture(failure);
                    }
                    try {
                        if (failure != null) {
                            return fetch(source, name, object);
                        }
                        return CompletableFuture.<Found>completedFuture(
                                here ? new Found.Here(objects.hold(stored)) : new Found.Value(objects.read(stored)));
                    } catch (IOException deletedMeanwhile) {
                        return fetch(source, name, object);
                    }
                })
                .thenCompose(found -> found);
    }

    /** Has the record not name a copy that is not there. */
    private void forget(ObjectName name, Copy copy) {
        objects.counters().missing.increment();
        records.forget(name, copy).whenComplete((unused, failure) -> {
            if (failure != null) {
                LOG.info("a missing copy is still recorded object={} seat={}", name, copy.getSeat(), failure);
            }
        });
    }

    /** What transactions about copies go through. */
    public CopyRecords records() {
        return records;
    }

    /**
     * Makes a copy of another worker's object in the own store. Where a former one is to be deleted here, that comes
     * first.
     */
    public CompletableFuture<ObjectStore.Stored> copy(
            String seat, String address, ObjectName name, long bytes, int checksum) {
        return whenDeleted(name, DELETION_TRIES_MAX)
                .thenCompose(unused -> copyNow(seat, address, name, bytes, checksum))
                .thenCompose(this::preserve);
    }

    /** What is put is copied before it has a record. */
    private CompletableFuture<ObjectStore.Stored> preserve(ObjectStore.Stored copy) {
        if (!objects.isOnVolume()) {
            return CompletableFuture.completedFuture(copy);
        }
        return store.read(transaction ->
                        store.keys().record(transaction, copy.name().future()))
                .thenApplyAsync(
                        record -> {
                            if (record.isEmpty()
                                    || record.get().getSchedulingSpec().getNoReconstruction()) {
                                objects.preserve(copy);
                            }
                            return copy;
                        },
                        store.environment().blockingExecutor());
    }

    private CompletableFuture<Void> whenDeleted(ObjectName name, int tries) {
        return records.isToBeDeleted(name, replicas.own()).thenCompose(toBeDeleted -> {
            if (!toBeDeleted) {
                return CompletableFuture.completedFuture(null);
            }
            if (tries == 0) {
                return CompletableFuture.failedFuture(
                        new IllegalStateException("A former copy of " + name + " is still to be deleted here"));
            }
            return later(() -> whenDeleted(name, tries - 1));
        });
    }

    private CompletableFuture<ObjectStore.Stored> copyNow(
            String seat, String address, ObjectName name, long bytes, int checksum) {
        Optional<ObjectStore.Stored> own = objects.find(name);
        if (own.isPresent()) {
            return CompletableFuture.completedFuture(own.get());
        }
        ObjectWriter writer;
        try {
            writer = objects.begin(name, bytes);
        } catch (ObjectStoreFullException | UncheckedIOException full) {
            return CompletableFuture.failedFuture(full);
        }
        return client.fetch(seat, address, name, WINDOW, writer)
                .handleAsync(
                        (unused, failure) -> {
                            try (writer) {
                                if (failure != null) {
                                    throw new CompletionException(failure);
                                }
                                objects.counters().fetchedBytes.add(bytes);
                                return writer.complete(checksum);
                            }
                        },
                        store.environment().executor());
    }

    /** Where the copies of a result are, as far as they may still be there. */
    CompletableFuture<Sources> sources(ReadTransaction transaction, FutureId id) {
        return store.keys().record(transaction, id).thenCompose(record -> {
            List<CompletableFuture<Place>> lookups = record.stream()
                    .flatMap(found -> found.getResult().getObject().getCopiesList().stream()
                            .map(copy -> place(transaction, found, copy)))
                    .toList();
            return AsyncUtil.whenAll(lookups).thenApply(unused -> {
                List<Place> places =
                        lookups.stream().map(CompletableFuture::join).toList();
                return new Sources(
                        record,
                        places.stream().flatMap(place -> place.alive().stream()).toList(),
                        places.stream().flatMap(place -> place.away().stream()).toList());
            });
        });
    }

    /** Where one copy is; neither if it is gone. */
    private record Place(Optional<Source> alive, Optional<String> away) {}

    private CompletableFuture<Place> place(ReadTransaction transaction, FutureRecord record, Copy copy) {
        return members.one(transaction, copy.getSeat())
                .thenApply(member -> new Place(
                        member.filter(holder -> isAlive(holder, copy))
                                .map(holder -> new Source(copy, holder.address())),
                        member.filter(holder -> !isAlive(holder, copy) && Copies.isAwaited(record, holder))
                                .map(Member::seat)));
    }

    private boolean isAlive(Member holder, Copy copy) {
        return holder.incarnation() == copy.getIncarnation()
                && holder.state() != WorkerState.MUST_DIE
                && !liveness.isDead(copy.getSeat(), copy.getIncarnation());
    }

    /** Whether the holder says that it does not hold the object. */
    static boolean isGone(Throwable failure) {
        Status.Code code = Status.fromThrowable(failure).getCode();
        return code == Status.Code.NOT_FOUND || code == Status.Code.DATA_LOSS;
    }
}
