/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.Ids;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Reads the queue. Entries are ordered by lane (class, band, tenant), then by a random shard, then by time; a reader
 * starts at a random shard of the first lane that has entries and wraps around, so that readers seldom meet and the
 * cost of a look does not depend on how much waits. Within a shard the order is first come, first served.
 */
public final class WorkQueue {

    /** Requirements that every worker meets. */
    public static final String NO_REQUIREMENTS = "";

    /** Lanes looked at for one claim. */
    private static final int LANES_MAX = 16;

    private final FutureKeys keys;
    private final RandomGenerator random;

    public WorkQueue(FutureKeys keys, RandomGenerator random) {
        this.keys = keys;
        this.random = random;
    }

    /** Up to {@code count} entries. Pass a snapshot: only what is taken must conflict. */
    public CompletableFuture<List<QueueEntry>> peek(ReadTransaction transaction, int count) {
        Range all = keys.queue.range(NO_REQUIREMENTS);
        return peekLanes(transaction, all.begin, all.end, count, LANES_MAX, new ArrayList<>());
    }

    /** Whether nothing waits. Pass the transaction itself where the answer must hold until its commit. */
    public CompletableFuture<Boolean> isEmpty(ReadTransaction transaction) {
        return read(transaction, keys.queue.range(NO_REQUIREMENTS), 1).thenApply(List::isEmpty);
    }

    private CompletableFuture<List<QueueEntry>> peekLanes(
            ReadTransaction transaction, byte[] from, byte[] end, int count, int lanes, List<QueueEntry> found) {
        if (lanes == 0 || found.size() >= count) {
            return CompletableFuture.completedFuture(found);
        }
        return read(transaction, new Range(from, end), 1).thenCompose(first -> {
            if (first.isEmpty()) {
                return CompletableFuture.completedFuture(found);
            }
            Tuple elements = keys.queue.elements(first.get(0).getKey());
            Tuple lane = Tuple.from(elements.get(0), elements.get(1), elements.get(2));
            Range whole = keys.queue.subspace().range(lane);
            return peekLane(transaction, lane, whole, count - found.size()).thenCompose(entries -> {
                found.addAll(entries);
                return peekLanes(transaction, whole.end, end, count, lanes - 1, found);
            });
        });
    }

    private CompletableFuture<List<QueueEntry>> peekLane(
            ReadTransaction transaction, Tuple lane, Range whole, int count) {
        byte[] start = keys.queue.subspace().pack(lane.add(random.nextInt(FutureTransaction.QUEUE_SHARDS)));
        return read(transaction, new Range(start, whole.end), count).thenCompose(later -> {
            if (later.size() >= count) {
                return CompletableFuture.completedFuture(entries(later, List.of()));
            }
            return read(transaction, new Range(whole.begin, start), count - later.size())
                    .thenApply(earlier -> entries(later, earlier));
        });
    }

    private static CompletableFuture<List<KeyValue>> read(ReadTransaction transaction, Range range, int limit) {
        if (ByteArrayUtil.compareUnsigned(range.begin, range.end) >= 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(range.begin),
                        KeySelector.firstGreaterOrEqual(range.end),
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
    }

    private static List<QueueEntry> entries(List<KeyValue> first, List<KeyValue> second) {
        List<QueueEntry> entries = new ArrayList<>(first.size() + second.size());
        for (List<KeyValue> part : List.of(first, second)) {
            for (KeyValue pair : part) {
                byte[] value = pair.getValue();
                entries.add(new QueueEntry(
                        pair.getKey(),
                        Ids.read(value, 0),
                        ByteBuffer.wrap(value).getLong(Ids.BYTES)));
            }
        }
        return entries;
    }
}
