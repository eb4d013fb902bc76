/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.collect.Expiry;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * How much housekeeping of the whole cluster is due and not done, as last counted, for metrics. One worker counts for
 * all, so that the sum over all workers is right. Nothing is read of what is not due yet: a count costs as much as is
 * left to do. Each page of it is of a version of its own. Safe for use by several threads.
 */
final class Backlog {

    /** What is counted; the name in lower case is public. */
    enum Queue {
        /** Futures that are done and have more dependents than one transaction releases. */
        DEPENDENTS,
        /** Delays that are over. */
        DELAYS,
        /** Retentions that are over. */
        RETENTIONS,
        /** Copies of results that nobody needs, which their holders are to delete. */
        GARBAGE,
        /** Futures that workers are to look at. */
        MAIL
    }

    /** Of each range no more are counted. */
    static final int COUNTED_MAX = 100_000;

    /** Entries read in one transaction. */
    private static final int PAGE = 5_000;

    private record Part(Queue queue, Range range, int before) {}

    private final FutureStore store;
    private final int page;
    private final int limit;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile Map<Queue, Long> latest = Map.of();

    Backlog(FutureStore store) {
        this(store, PAGE, COUNTED_MAX);
    }

    /**
     * @param page entries read in one transaction
     * @param limit entries counted of each range
     */
    Backlog(FutureStore store, int page, int limit) {
        this.store = store;
        this.page = page;
        this.limit = limit;
    }

    /** Entries that were due when they were last counted; 0 where another worker counts. */
    long of(Queue queue) {
        return latest.getOrDefault(queue, 0L);
    }

    /** Counts, unless a count is under way. */
    CompletableFuture<Void> count() {
        if (!counting.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        Map<Queue, Long> sums = new EnumMap<>(Queue.class);
        return add(parts(store.environment().wallClockMillis()), sums)
                .thenRun(() -> latest = sums)
                .whenComplete((unused, failure) -> counting.set(false));
    }

    /** Leaves it to another worker. */
    void forget() {
        latest = Map.of();
    }

    private Deque<Part> parts(long nowMillis) {
        FutureKeys keys = store.keys();
        Deque<Part> parts = new ArrayDeque<>(List.of(
                new Part(Queue.DEPENDENTS, keys.unsettled.range(), 0),
                new Part(Queue.DELAYS, new Range(keys.timers.range().begin, keys.timers.key(nowMillis + 1)), 0),
                new Part(Queue.GARBAGE, keys.garbage.range(), 0),
                new Part(Queue.MAIL, keys.mailbox.range(), 0)));
        IntStream.range(0, Expiry.SHARDS)
                .mapToObj(shard -> new Range(keys.expiries.range(shard).begin, keys.expiries.key(shard, nowMillis + 1)))
                .forEach(due -> parts.add(new Part(Queue.RETENTIONS, due, 0)));
        return parts;
    }

    /** Counts a page of each part in one transaction, and what is left of them in the next. */
    private CompletableFuture<Void> add(Deque<Part> parts, Map<Queue, Long> sums) {
        if (parts.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.read(transaction -> {
                    List<CompletableFuture<List<KeyValue>>> reads = parts.stream()
                            .map(part -> transaction
                                    .getRange(
                                            part.range(),
                                            Math.min(page, limit - part.before()),
                                            false,
                                            StreamingMode.WANT_ALL)
                                    .asList())
                            .toList();
                    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                            .thenApply(unused ->
                                    reads.stream().map(CompletableFuture::join).toList());
                })
                .thenCompose(pages -> {
                    Deque<Part> rest = new ArrayDeque<>();
                    for (List<KeyValue> found : pages) {
                        Part part = parts.remove();
                        sums.merge(part.queue(), (long) found.size(), Long::sum);
                        int counted = part.before() + found.size();
                        if (found.size() == page && counted < limit) {
                            byte[] next = ByteArrayUtil.keyAfter(found.getLast().getKey());
                            rest.add(new Part(part.queue(), new Range(next, part.range().end), counted));
                        }
                    }
                    return add(rest, sums);
                });
    }
}
