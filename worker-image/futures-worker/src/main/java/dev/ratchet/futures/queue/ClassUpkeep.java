/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.store.keyspace.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Keeps what is written down about requirement classes in step with the queue: forgets those of which nothing is
 * queued, and writes down those of entries that a release has queued which did not. A call does a bounded part, and the
 * next one goes on behind it. Used by one caller at a time.
 */
public final class ClassUpkeep {

    /** Rows looked at by one transaction. */
    private static final int PAGE = 200;

    /** Pages of one call. */
    private static final int PAGES_MAX = 100;

    /** Classes of queued entries looked at in one call, one after the other. */
    private static final int ENTRIES_MAX = 1_000;

    private final FutureStore store;
    private final FutureKeys keys;
    private final IdleSeats idleSeats;
    private volatile byte[] nextListed;
    private volatile byte[] nextClass;
    private volatile byte[] nextEntry;

    public ClassUpkeep(FutureStore store) {
        this.store = store;
        this.keys = store.keys();
        this.idleSeats = new IdleSeats(keys, store.environment().random());
        nextListed = keys.waitingClasses.range().begin;
        nextClass = keys.requirements.range().begin;
        nextEntry = keys.queue.range().begin;
    }

    /** Forgets classes of which nothing is queued; whoever queues something meanwhile conflicts. */
    public CompletableFuture<Void> forgetEmpty() {
        return forgetPages(nextListed, keys.waitingClasses.range(), PAGES_MAX)
                .thenCompose(next -> {
                    nextListed = next;
                    return forgetPages(nextClass, keys.requirements.range(), PAGES_MAX);
                })
                .thenAccept(next -> nextClass = next);
    }

    /** Where the next call begins. */
    private CompletableFuture<byte[]> forgetPages(byte[] from, Range all, int pages) {
        return store.read(transaction -> transaction
                        .getRange(from, all.end, PAGE, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> {
                    List<byte[]> rows = found.stream().map(KeyValue::getKey).toList();
                    return forget(rows).thenCompose(unused -> {
                        if (rows.size() < PAGE) {
                            return CompletableFuture.completedFuture(all.begin);
                        }
                        byte[] next = ByteArrayUtil.keyAfter(rows.getLast());
                        return pages == 1 ? CompletableFuture.completedFuture(next) : forgetPages(next, all, pages - 1);
                    });
                });
    }

    /** Forgets those of these rows, of either table, of which nothing is queued. */
    public CompletableFuture<Void> forget(List<byte[]> rows) {
        return store.read(transaction -> empty(transaction, rows))
                .thenCompose(empty -> empty.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : store.runPlain(
                                transaction -> empty(transaction, empty).thenApply(still -> {
                                    still.forEach(row -> tableOf(row).clearRow(transaction, row));
                                    return null;
                                })));
    }

    private CompletableFuture<List<byte[]>> empty(ReadTransaction transaction, List<byte[]> rows) {
        List<CompletableFuture<List<KeyValue>>> firsts = rows.stream()
                .map(this::entries)
                .map(range -> transaction.getRange(range, 1).asList())
                .toList();
        return AsyncUtil.whenAll(firsts).thenApply(unused -> IntStream.range(0, rows.size())
                .filter(i -> firsts.get(i).join().isEmpty())
                .mapToObj(rows::get)
                .toList());
    }

    private Table<Requirements> tableOf(byte[] row) {
        return keys.waitingClasses.subspace().contains(row) ? keys.waitingClasses : keys.requirements;
    }

    /** What is queued of the class of a row. */
    private Range entries(byte[] row) {
        if (tableOf(row) == keys.waitingClasses) {
            Tuple key = keys.waitingClasses.elements(row);
            return keys.queue.range(key.getString(key.size() - 1), key.getLong(0));
        }
        return keys.queue.range(keys.requirements.elements(row).getString(0));
    }

    /** Writes down classes that have entries and are not listed. */
    public CompletableFuture<Void> complete() {
        return complete(nextEntry, ENTRIES_MAX).thenAccept(next -> nextEntry = next);
    }

    private CompletableFuture<byte[]> complete(byte[] from, int left) {
        Range all = keys.queue.range();
        return store.read(transaction -> transaction.getRange(from, all.end, 1).asList())
                .thenCompose(first -> {
                    if (first.isEmpty()) {
                        return CompletableFuture.completedFuture(all.begin);
                    }
                    Tuple place = keys.queue.elements(first.getFirst().getKey());
                    byte[] next = keys.queue.range(place.get(0), place.get(1)).end;
                    return list(
                                    place.getString(0),
                                    place.getLong(1),
                                    Ids.read(first.getFirst().getValue(), 0))
                            .thenComposeAsync(
                                    unused -> left == 1
                                            ? CompletableFuture.completedFuture(next)
                                            : complete(next, left - 1),
                                    store.environment().executor());
                });
    }

    /** @param queued one of those that wait, which says what the class requires where that is not written down */
    private CompletableFuture<Void> list(String requirementClass, long band, FutureId queued) {
        if (requirementClass.equals(SchedulingSpecs.DEFAULT_CLASS)) {
            return CompletableFuture.completedFuture(null);
        }
        return store.read(transaction -> amounts(transaction, requirementClass, queued)
                        .thenCompose(amounts -> isListed(transaction, requirementClass, band, amounts)
                                .thenApply(listed -> listed ? Optional.<Requirements>empty() : amounts)))
                .thenCompose(unlisted -> unlisted.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : store.run(futures -> {
                            futures.define(requirementClass, band, unlisted.get());
                            return idleSeats.wakeOthers(futures, Map.of(requirementClass, 1));
                        }));
    }

    private CompletableFuture<Boolean> isListed(
            ReadTransaction transaction, String requirementClass, long band, Optional<Requirements> amounts) {
        return amounts.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : transaction
                        .get(keys.waitingClass(band, requirementClass, amounts.get()))
                        .thenApply(row -> row != null);
    }

    /** Nothing where the entry is void. */
    private CompletableFuture<Optional<Requirements>> amounts(
            ReadTransaction transaction, String requirementClass, FutureId queued) {
        return transaction
                .get(keys.requirements.key(requirementClass))
                .thenCombine(
                        keys.record(transaction, queued),
                        (written, record) -> written == null
                                ? record.map(SchedulingSpecs::requirements)
                                        .map(SchedulingSpecs::amounts)
                                        .filter(amounts -> SchedulingSpecs.requirementClass(amounts)
                                                .equals(requirementClass))
                                : Optional.of(keys.requirements.decode(written)));
    }
}
