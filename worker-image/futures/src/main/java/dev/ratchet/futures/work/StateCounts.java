/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.State;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many futures of the whole cluster are in each state, as last counted: how long its queues are, for metrics. One
 * worker counts for all, by the exact counters of the jobs, so that the sum over all workers is right; each page of
 * them is of a version of its own. Safe for use by several threads.
 */
final class StateCounts {

    /** Counters read in one transaction. */
    private static final int COUNTERS_MAX = 5_000;

    private final FutureStore store;
    private final int page;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile Map<State, Long> latest = Map.of();

    StateCounts(FutureStore store) {
        this(store, COUNTERS_MAX);
    }

    /** @param page counters read in one transaction */
    StateCounts(FutureStore store, int page) {
        this.store = store;
        this.page = page;
    }

    /** Futures in {@code state} when they were last counted; 0 where another worker counts. */
    long of(State state) {
        return latest.getOrDefault(state, 0L);
    }

    /** Counts, unless a count is under way. */
    CompletableFuture<Void> count() {
        if (!counting.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        Map<State, Long> sums = new EnumMap<>(State.class);
        return addFrom(store.keys().counts.range(), sums)
                .thenRun(() -> latest = sums)
                .whenComplete((unused, failure) -> counting.set(false));
    }

    /** Leaves it to another worker. */
    void forget() {
        latest = Map.of();
    }

    private CompletableFuture<Void> addFrom(Range rest, Map<State, Long> sums) {
        return store.read(transaction -> transaction
                        .getRange(rest, page, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(counters -> {
                    counters.forEach(counter -> add(counter, sums));
                    return counters.size() < page
                            ? CompletableFuture.completedFuture(null)
                            : addFrom(new Range(after(counters), rest.end), sums);
                });
    }

    private static byte[] after(List<KeyValue> counters) {
        return ByteArrayUtil.join(counters.getLast().getKey(), new byte[] {0});
    }

    private void add(KeyValue counter, Map<State, Long> sums) {
        Tuple key = store.keys().counts.elements(counter.getKey());
        if (key.getString(1).equals("state")) {
            State state = State.forNumber(Math.toIntExact(key.getLong(2)));
            if (state != null) {
                sums.merge(state, store.keys().counts.decode(counter.getValue()), Long::sum);
            }
        }
    }
}
