/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * How many futures of the whole cluster are in each state, and how much housekeeping is due and not done, as last
 * counted, for metrics. One worker counts for all, so that the sum over all workers is right. States come from the
 * exact counters of the jobs; of the rest nothing is read that is not due yet: it costs as much as is left to do. One
 * transaction reads a page of each; each page is of a version of its own. Safe for use by several threads.
 */
final class StateCounts {

    /** What is counted beside states; the name in lower case is public. */
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

    /** Of each range of a queue no more are counted. */
    static final int COUNTED_MAX = 100_000;

    /** Entries read of each range in one transaction. */
    private static final int PAGE = 5_000;

    /** What is left of a range, of which some more are read. */
    private record Part(Range rest, int more, Consumer<List<KeyValue>> count) {}

    private record Sums(Map<State, Long> states, Map<Queue, Long> queues) {}

    private static final Sums NONE = new Sums(Map.of(), Map.of());

    private final FutureStore store;
    private final int page;
    private final int limit;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile Sums latest = NONE;

    StateCounts(FutureStore store) {
        this(store, PAGE, COUNTED_MAX);
    }

    /**
     * @param page entries read of each range in one transaction
     * @param limit entries counted of each range of a queue
     */
    StateCounts(FutureStore store, int page, int limit) {
        this.store = store;
        this.page = page;
        this.limit = limit;
    }

    /** Futures in {@code state} when they were last counted; 0 where another worker counts. */
    long of(State state) {
        return latest.states().getOrDefault(state, 0L);
    }

    /** Entries that were due when they were last counted; 0 where another worker counts. */
    long of(Queue queue) {
        return latest.queues().getOrDefault(queue, 0L);
    }

    /** Counts, unless a count is under way. */
    CompletableFuture<Void> count() {
        if (!counting.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        Sums sums = new Sums(new EnumMap<>(State.class), new EnumMap<>(Queue.class));
        return read(parts(sums, store.environment().wallClockMillis()))
                .thenRun(() -> latest = sums)
                .whenComplete((unused, failure) -> counting.set(false));
    }

    /** Leaves it to another worker. */
    void forget() {
        latest = NONE;
    }

    private List<Part> parts(Sums sums, long nowMillis) {
        FutureKeys keys = store.keys();
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(
                keys.counts.range(), Integer.MAX_VALUE, found -> found.forEach(counter -> add(counter, sums))));
        parts.add(part(sums, Queue.DEPENDENTS, keys.unsettled.range()));
        parts.add(part(sums, Queue.DELAYS, new Range(keys.timers.range().begin, keys.timers.key(nowMillis + 1))));
        parts.add(part(sums, Queue.GARBAGE, keys.garbage.range()));
        parts.add(part(sums, Queue.MAIL, keys.mailbox.range()));
        for (int shard = 0; shard < FutureKeys.EXPIRY_SHARDS; shard++) {
            Range due = new Range(keys.expiries.range(shard).begin, keys.expiries.key(shard, nowMillis + 1));
            parts.add(part(sums, Queue.RETENTIONS, due));
        }
        return parts;
    }

    private Part part(Sums sums, Queue queue, Range range) {
        return new Part(range, limit, found -> sums.queues().merge(queue, (long) found.size(), Long::sum));
    }

    private void add(KeyValue counter, Sums sums) {
        Tuple key = store.keys().counts.elements(counter.getKey());
        if (key.getString(1).equals("state")) {
            State state = State.forNumber(Math.toIntExact(key.getLong(2)));
            if (state != null) {
                sums.states().merge(state, store.keys().counts.decode(counter.getValue()), Long::sum);
            }
        }
    }

    /** Counts a page of each part in one transaction, and what is left of them in the next. */
    private CompletableFuture<Void> read(List<Part> parts) {
        if (parts.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.read(transaction -> {
                    List<CompletableFuture<List<KeyValue>>> reads = parts.stream()
                            .map(part -> transaction
                                    .getRange(part.rest(), Math.min(page, part.more()), false, StreamingMode.WANT_ALL)
                                    .asList())
                            .toList();
                    return AsyncUtil.whenAll(reads)
                            .thenApply(unused ->
                                    reads.stream().map(CompletableFuture::join).toList());
                })
                .thenCompose(pages -> {
                    List<Part> rest = new ArrayList<>();
                    for (int i = 0; i < pages.size(); i++) {
                        Part part = parts.get(i);
                        List<KeyValue> found = pages.get(i);
                        part.count().accept(found);
                        if (found.size() == page && found.size() < part.more()) {
                            byte[] next = ByteArrayUtil.keyAfter(found.getLast().getKey());
                            rest.add(new Part(
                                    new Range(next, part.rest().end), part.more() - found.size(), part.count()));
                        }
                    }
                    return read(rest);
                });
    }
}
