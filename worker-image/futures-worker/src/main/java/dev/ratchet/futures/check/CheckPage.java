/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterator;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.ValueFormatException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Some rows of a table, with everything else of the store at the same version. Made anew for each try of its
 * transaction; only the one that completes counts. Safe for use by several threads.
 */
final class CheckPage {

    private final ReadTransaction transaction;
    private final FutureKeys keys;
    private final Members members;
    private final Map<FutureId, CompletableFuture<Optional<FutureRecord>>> records = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Optional<Member>>> seats = new ConcurrentHashMap<>();
    private final Queue<Violation> violations = new ConcurrentLinkedQueue<>();
    private final Map<FutureId, Long> queued = new ConcurrentHashMap<>();
    private final Map<Tuple, Long> counts = new ConcurrentHashMap<>();
    private final AtomicLong bytesRead = new AtomicLong();

    CheckPage(ReadTransaction transaction, FutureKeys keys, Members members) {
        this.transaction = transaction;
        this.keys = keys;
        this.members = members;
    }

    /** A record, read once for the page; one that can not be decoded is absent here and told of where it is judged. */
    CompletableFuture<Optional<FutureRecord>> record(FutureId id) {
        return records.computeIfAbsent(id, wanted -> absentIfUnreadable(keys.record(transaction, wanted))
                .thenApply(record -> {
                    record.ifPresent(read -> bytesRead.addAndGet(read.getSerializedSize()));
                    return record;
                }));
    }

    /** What a future was computed from. */
    CompletableFuture<List<FutureId>> upstreams(FutureId id) {
        return keys.upstreamsOf(transaction, id).thenApply(upstreams -> {
            bytesRead.addAndGet((long) upstreams.size() * Ids.BYTES);
            return upstreams;
        });
    }

    /** The results of a block. */
    CompletableFuture<List<ResultRun>> results(FutureId block) {
        return new BlockContent(keys, block).results(transaction).thenApply(results -> {
            results.forEach(run -> bytesRead.addAndGet(run.getSerializedSize()));
            return results;
        });
    }

    CompletableFuture<Optional<Member>> member(String seat) {
        return seats.computeIfAbsent(seat, wanted -> absentIfUnreadable(members.one(transaction, wanted)));
    }

    private static <T> CompletableFuture<Optional<T>> absentIfUnreadable(CompletableFuture<Optional<T>> read) {
        return read.exceptionally(failure -> {
            if (failure instanceof ValueFormatException || failure.getCause() instanceof ValueFormatException) {
                return Optional.empty();
            }
            throw new CompletionException(failure);
        });
    }

    CompletableFuture<Boolean> exists(byte[] key) {
        return get(key).thenApply(value -> value != null);
    }

    CompletableFuture<byte[]> get(byte[] key) {
        return transaction.get(key).thenApply(value -> {
            bytesRead.addAndGet(value == null ? 0 : value.length);
            return value;
        });
    }

    /** The first rows of a range. */
    CompletableFuture<List<KeyValue>> first(Range range, int limit) {
        return transaction
                .getRange(range, limit, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(rows -> {
                    rows.forEach(this::count);
                    return rows;
                });
    }

    /** The first rows of a range, up to {@code limit} or the one with which the page has read {@code bytes}. */
    CompletableFuture<List<KeyValue>> first(Range range, int limit, long bytes) {
        return take(
                transaction
                        .getRange(range, limit, false, StreamingMode.WANT_ALL)
                        .iterator(),
                new ArrayList<>(),
                bytes);
    }

    private CompletableFuture<List<KeyValue>> take(AsyncIterator<KeyValue> from, List<KeyValue> rows, long bytes) {
        CompletableFuture<Boolean> more = from.onHasNext();
        while (bytesRead.get() < bytes && more.isDone() && !more.isCompletedExceptionally() && more.join()) {
            KeyValue row = from.next();
            rows.add(row);
            count(row);
            more = from.onHasNext();
        }
        if (bytesRead.get() >= bytes) {
            from.cancel();
            return CompletableFuture.completedFuture(rows);
        }
        boolean isAtEnd = more.isDone();
        return more.thenCompose(unused -> isAtEnd ? CompletableFuture.completedFuture(rows) : take(from, rows, bytes));
    }

    private void count(KeyValue row) {
        bytesRead.addAndGet(row.getKey().length + row.getValue().length);
    }

    /** Of keys in ranges, values, records, upstreams and results, about. */
    long bytesRead() {
        return bytesRead.get();
    }

    /** Notes that a row must not be as it is. */
    void violation(Table<?> table, byte[] key, String message) {
        violations.add(new Violation(path(table, key), message));
    }

    /** A future that must have an entry in the queue with this ticket. */
    void mustBeQueued(FutureId id, long ticket) {
        queued.put(id, ticket);
    }

    /** Counts a record as the counters of its job do. */
    void count(FutureRecord record) {
        JobCounters.of(record).forEach(counter -> counts.merge(counter, (long) BlockFutures.count(record), Long::sum));
    }

    Queue<Violation> violations() {
        return violations;
    }

    Map<FutureId, Long> queued() {
        return queued;
    }

    Map<Tuple, Long> counts() {
        return counts;
    }

    /** The key as {@code ratchet keys} writes it. */
    static String path(Table<?> table, byte[] key) {
        StringBuilder path = new StringBuilder(table.schema().path());
        List<Object> elements;
        try {
            elements = table.elements(key).getItems();
        } catch (RuntimeException damaged) {
            elements = List.of(key);
        }
        for (Object element : elements) {
            path.append('/')
                    .append(
                            element instanceof byte[] bytes
                                    ? "0x" + HexFormat.of().formatHex(bytes)
                                    : String.valueOf(element));
        }
        return path.toString();
    }
}
