/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up the copies that former incarnations of this seat have left in files, before what those held is released: a
 * record that still names one names that of this incarnation from then on. A record names a copy here only after its
 * bytes were checked and are held. What no record names, because it was computed again or deleted meanwhile, is
 * dropped.
 */
public final class FormerCopies {

    private static final Logger LOG = LoggerFactory.getLogger(FormerCopies.class);

    /** Records changed by one transaction. */
    private static final int PAGE = 100;

    private final FutureStore store;
    private final Seat seat;
    private final ObjectStore objects;

    public FormerCopies(FutureStore store, Seat seat, ObjectStore objects) {
        this.store = store;
        this.seat = seat;
        this.objects = objects;
    }

    /** A copy that the index names. */
    private record Named(ObjectName name, Copy copy) {}

    /** Completes when everything is taken up or dropped. May be repeated after a failure. */
    public CompletableFuture<Void> takeUp() {
        if (objects.former().isEmpty() && objects.count() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return page(store.keys().held.range(seat.name()).begin).thenRun(() -> {
            int dropped = objects.former().drop();
            LOG.info(
                    "objects of former processes of this seat: takenUp={} bytes={} dropped={}",
                    objects.count(),
                    objects.usedBytes(),
                    dropped);
        });
    }

    private CompletableFuture<Void> page(byte[] first) {
        FutureKeys keys = store.keys();
        Range range = new Range(first, keys.held.key(seat.name(), seat.incarnation()));
        return store.read(transaction -> transaction
                        .getRange(range, PAGE, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(found -> wanted(transaction, found).thenApply(wanted -> {
                            return new Page(found, wanted);
                        })))
                .thenComposeAsync(this::takeUp, store.environment().blockingExecutor())
                .thenCompose(found -> found.size() < PAGE
                        ? CompletableFuture.completedFuture(null)
                        : page(ByteArrayUtil.keyAfter(found.getLast().getKey())));
    }

    /**
     * One read's result.
     *
     * @param wanted the objects that records name
     */
    private record Page(List<KeyValue> found, List<Stored> wanted) {}

    private CompletableFuture<List<Stored>> wanted(ReadTransaction transaction, List<KeyValue> found) {
        List<CompletableFuture<List<Stored>>> reads = found.stream()
                .map(this::named)
                .map(named -> store.keys()
                        .record(transaction, named.name().future())
                        .thenApply(record -> record.stream()
                                .map(some -> stored(named.name(), some))
                                .toList()))
                .toList();
        return AsyncUtil.whenAll(reads)
                .thenApply(unused ->
                        reads.stream().flatMap(some -> some.join().stream()).toList());
    }

    private CompletableFuture<List<KeyValue>> takeUp(Page page) {
        page.wanted().forEach(objects.former()::takeUp);
        List<Named> held = page.found().stream()
                .map(this::named)
                .filter(named -> objects.find(named.name()).isPresent())
                .toList();
        return held.isEmpty()
                ? CompletableFuture.completedFuture(page.found())
                : record(held).thenApply(kept -> page.found());
    }

    private CompletableFuture<Void> record(List<Named> held) {
        return store.run(futures -> seat.fence(futures.transaction())
                        .thenCompose(unused -> futures.loadAll(held.stream()
                                .map(named -> named.name().future())
                                .toList()))
                        .thenApply(loaded -> held.stream()
                                .filter(named -> loaded.stream().noneMatch(future -> exchange(future, named)))
                                .toList()))
                .thenAccept(unwanted -> unwanted.forEach(named -> objects.delete(named.name())));
    }

    /** Whether the record names the copy of this incarnation now. */
    private boolean exchange(LoadedFuture future, Named named) {
        Copy own = Copy.newBuilder()
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation())
                .build();
        if (!future.id().equals(named.name().future())
                || !objects.find(named.name()).equals(Optional.of(stored(named.name(), future.record())))) {
            return false;
        }
        if (Copies.isNamed(future, named.name(), named.copy())) {
            Copies.exchange(future, named.copy(), own);
        }
        return Copies.isNamed(future, named.name(), own);
    }

    private static Stored stored(ObjectName name, FutureRecordOrBuilder record) {
        StoredObject object = record.getResult().getObject();
        return new Stored(name, object.getBytes(), object.getChecksum());
    }

    private Named named(KeyValue pair) {
        Tuple key = store.keys().held.elements(pair.getKey());
        return new Named(
                new ObjectName(new FutureId(key.getUUID(2)), key.getLong(3)),
                Copy.newBuilder()
                        .setSeat(seat.name())
                        .setIncarnation(key.getLong(1))
                        .build());
    }
}
