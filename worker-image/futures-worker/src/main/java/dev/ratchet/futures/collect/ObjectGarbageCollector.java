/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the bytes that this worker holds and nobody needs. First the bytes, then the entry that asks for it: a crash
 * between the two is repeated. A worker that dies takes its bytes with it, and whoever takes it over the entries.
 */
public final class ObjectGarbageCollector {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectGarbageCollector.class);
    private static final int PAGE = 500;

    private final FutureStore store;
    private final Seat seat;
    private final ObjectStore objects;
    private final AtomicBoolean running = new AtomicBoolean();
    /** Somebody has asked for a sweep since the one that is going on has last looked. */
    private final AtomicBoolean asked = new AtomicBoolean();

    private volatile Set<ObjectName> suspects = Set.of();

    public ObjectGarbageCollector(FutureStore store, Seat seat, ObjectStore objects) {
        this.store = store;
        this.seat = seat;
        this.objects = objects;
    }

    /** Works until nothing is left; if that is going on already, it looks once more at its end. */
    public void sweep() {
        asked.set(true);
        if (running.compareAndSet(false, true)) {
            next();
        }
    }

    /** Looks at once, where a record says that this worker may hold bytes that nobody needs. */
    public void noticed(FutureRecord record) {
        boolean mayBeIdle =
                switch (record.getState()) {
                    case STATE_DELETED, STATE_LOST -> true;
                    case STATE_REALIZED ->
                        record.getResult().getObject().getCopiesList().stream()
                                .noneMatch(copy -> copy.getSeat().equals(seat.name()));
                    default -> false;
                };
        if (mayBeIdle && objects.count() > 0) {
            sweep();
        }
    }

    /** Deletes all that is not needed now. */
    public CompletableFuture<Void> disposeAll() {
        return disposePage()
                .thenComposeAsync(
                        more -> more ? disposeAll() : CompletableFuture.completedFuture(null),
                        store.environment().executor());
    }

    /**
     * Deletes bytes that no record names: what a crash of somebody else has left of a copy or a put. To be called so
     * seldom that nothing takes that long to be recorded; what is unlisted twice in a row goes.
     */
    public void reconcile() {
        List<ObjectName> held =
                objects.all().stream().map(ObjectStore.Stored::name).toList();
        var unused = unlisted(held, 0, new HashSet<>()).whenComplete((found, failure) -> {
            if (failure != null) {
                LOG.warn("what this worker holds could not be compared with the store", failure);
                return;
            }
            found.stream().filter(suspects::contains).forEach(name -> {
                LOG.info("deleting an object that no record names object={}", name);
                objects.delete(name);
            });
            suspects = Set.copyOf(found);
        });
    }

    private CompletableFuture<Set<ObjectName>> unlisted(List<ObjectName> held, int from, Set<ObjectName> found) {
        if (from >= held.size()) {
            return CompletableFuture.completedFuture(found);
        }
        List<ObjectName> some = held.subList(from, Math.min(held.size(), from + PAGE));
        FutureKeys keys = store.keys();
        return store.read(transaction -> {
                    List<CompletableFuture<byte[]>> reads = some.stream()
                            .map(name -> transaction.get(keys.held.key(
                                    seat.name(),
                                    seat.incarnation(),
                                    name.future().value(),
                                    name.epoch())))
                            .toList();
                    return AsyncUtil.whenAll(reads).thenApply(unused -> reads);
                })
                .thenComposeAsync(
                        reads -> {
                            for (int i = 0; i < some.size(); i++) {
                                if (reads.get(i).join() == null) {
                                    found.add(some.get(i));
                                }
                            }
                            return unlisted(held, from + PAGE, found);
                        },
                        store.environment().executor());
    }

    private void next() {
        asked.set(false);
        GuardedCallbacks.begin(this::disposePage)
                .whenCompleteAsync(
                        (more, failure) -> {
                            if (failure != null) {
                                LOG.warn("deleting unneeded bytes failed, to be found by the next sweep", failure);
                            }
                            if (failure == null && more) {
                                next();
                                return;
                            }
                            running.set(false);
                            // Who asked while this one ended was told that it goes on.
                            if (failure == null && asked.get()) {
                                sweep();
                            }
                        },
                        store.environment().executor());
    }

    /** Deletes some; whether there may be more. */
    CompletableFuture<Boolean> disposePage() {
        FutureKeys keys = store.keys();
        Range own = keys.garbage.range(seat.name(), seat.incarnation());
        return store.read(transaction -> FutureRemoval.first(transaction, own, PAGE))
                .thenCompose(found -> {
                    found.forEach(pair -> objects.delete(name(pair)));
                    return found.isEmpty() ? CompletableFuture.completedFuture(false) : clear(found);
                });
    }

    private CompletableFuture<Boolean> clear(List<KeyValue> done) {
        return store.runPlain(transaction -> {
            done.forEach(pair -> store.keys().garbage.clearRow(transaction, pair.getKey()));
            return CompletableFuture.completedFuture(done.size() >= PAGE);
        });
    }

    private ObjectName name(KeyValue pair) {
        Tuple key = store.keys().garbage.elements(pair.getKey());
        return new ObjectName(new FutureId(key.getUUID(2)), key.getLong(3));
    }
}
