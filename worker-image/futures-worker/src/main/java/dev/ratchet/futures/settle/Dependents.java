/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.BlockRanges;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.record.WaitEdges;
import dev.ratchet.protocol.futures.v1.Locality;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Stored joins: releases the futures that wait for one that is done. Every edge is a pair of keys, removed when the
 * upstream is done; a future is released by the transaction that removes its last edge. To notice that, a transaction
 * needs to conflict with the removal of just one other edge, chosen at random, so that the upstreams of a wide join can
 * be done at once by many workers.
 *
 * <p>A future with a failed upstream is released at once, unless it is a call of an actor, which waits for its turn;
 * the worker that takes it finds the failure.
 */
public final class Dependents {

    /** Most upstreams of one future. */
    public static final int UPSTREAMS_MAX = 2_000;

    /** Dependents that one transaction lets wait for another future. */
    static final int MOVED_MAX = 2_000;

    /** Dependents released by one transaction; the rest follows in more, found again by the key {@code unsettled}. */
    static final int RELEASED_MAX = 200;

    private final FutureKeys keys;
    private final WaitEdges written;
    private final RandomGenerator random;

    public Dependents(FutureKeys keys, RandomGenerator random) {
        this.keys = keys;
        this.written = new WaitEdges(keys);
        this.random = random;
    }

    /** Records that {@code downstream} waits for {@code upstream}. */
    public void connect(Transaction transaction, FutureId downstream, FutureId upstream) {
        written.connect(transaction, downstream, upstream);
    }

    /** Records that {@code downstream} does not wait for {@code upstream} any more. */
    void disconnect(Transaction transaction, FutureId downstream, FutureId upstream) {
        written.disconnect(transaction, downstream, upstream);
    }

    /** What a future still waits for; reads with conflict. */
    CompletableFuture<List<FutureId>> upstreams(Transaction transaction, FutureId downstream) {
        return read(transaction, keys.waits.range(downstream.value()), UPSTREAMS_MAX + 1)
                .thenApply(edges -> edges.stream()
                        .map(edge ->
                                new FutureId(keys.waits.elements(edge.getKey()).getUUID(1)))
                        .toList());
    }

    /** Up to {@value #MOVED_MAX} of what waits for a future; reads with conflict. */
    CompletableFuture<List<FutureId>> downstreams(Transaction transaction, FutureId upstream) {
        return read(transaction, keys.dependents.range(upstream.value()), MOVED_MAX)
                .thenApply(edges -> edges.stream()
                        .map(edge -> new FutureId(
                                keys.dependents.elements(edge.getKey()).getUUID(1)))
                        .toList());
    }

    /**
     * What waits for futures that may become done, while it is read.
     *
     * @param limit how many of each are released at most
     */
    record Edges(int limit, Map<FutureId, CompletableFuture<List<KeyValue>>> reads) {}

    /** Begins to read what waits for futures that are no blocks, before it is known whether they become done. */
    Edges edges(Transaction transaction, Collection<FutureId> ids) {
        int limit = limit(ids.size());
        Map<FutureId, CompletableFuture<List<KeyValue>>> reads = new LinkedHashMap<>();
        ids.forEach(id -> reads.put(id, read(transaction, keys.dependents.range(id.value()), limit + 1)));
        return new Edges(limit, reads);
    }

    private static int limit(int futures) {
        return Math.max(1, RELEASED_MAX / Math.max(1, futures));
    }

    /**
     * Releases what waits for futures that have just become done, in the same transaction.
     *
     * @return whether some have more dependents than one transaction takes: {@link Unsettled} releases those
     */
    public CompletableFuture<Boolean> release(FutureTransaction futures, Collection<LoadedFuture> done) {
        return release(futures, done, new Edges(RELEASED_MAX, Map.of()));
    }

    /** As {@link #release(FutureTransaction, Collection)}, where some of what waits is read already. */
    public CompletableFuture<Boolean> release(FutureTransaction futures, Collection<LoadedFuture> done, Edges begun) {
        Transaction transaction = futures.transaction();
        Map<LoadedFuture, CompletableFuture<List<KeyValue>>> reads = new LinkedHashMap<>();
        int limit = Math.min(begun.limit(), limit(done.size()));
        for (LoadedFuture future : done) {
            CompletableFuture<List<KeyValue>> read = begun.reads().get(future.id());
            reads.put(future, read == null ? edges(transaction, future, limit + 1) : read);
        }
        return AsyncUtil.whenAll(reads.values()).thenCompose(unused -> {
            Map<FutureId, Boolean> touched = new LinkedHashMap<>();
            boolean more = false;
            for (Map.Entry<LoadedFuture, CompletableFuture<List<KeyValue>>> read : reads.entrySet()) {
                more |= disconnect(transaction, read.getKey(), read.getValue().join(), limit, touched);
            }
            boolean unfinished = more;
            if (unfinished) {
                futures.leaveDependents();
            }
            return futures.loadAll(touched.keySet())
                    .thenCompose(downstreams -> releaseReady(futures, downstreams, touched, hosts(done)))
                    .thenApply(ignored -> unfinished);
        });
    }

    /** Those of the futures for which something still waits although they are done. */
    CompletableFuture<List<FutureId>> unsettled(ReadTransaction transaction, Collection<FutureId> ids) {
        return read(transaction, keys.unsettled.range(), 1).thenCompose(some -> {
            Map<FutureId, CompletableFuture<byte[]>> found = new LinkedHashMap<>();
            if (!some.isEmpty()) {
                ids.forEach(id -> found.put(id, transaction.get(keys.unsettled.key(id.value()))));
            }
            return AsyncUtil.whenAll(found.values()).thenApply(unused -> found.entrySet().stream()
                    .filter(entry -> entry.getValue().join() != null)
                    .map(Map.Entry::getKey)
                    .toList());
        });
    }

    /** What waits for a future, or for those that are in a block. */
    private CompletableFuture<List<KeyValue>> edges(Transaction transaction, LoadedFuture future, int limit) {
        if (!future.isBlock()) {
            return read(transaction, keys.dependents.range(future.id().value()), limit);
        }
        List<CompletableFuture<List<KeyValue>>> parts = new ArrayList<>();
        int[] numbers = BlockFutures.numbers(future.record());
        int first = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (i + 1 == numbers.length || numbers[i + 1] != numbers[i] + 1) {
                Range part = BlockRanges.range(keys.dependents, future.id(), numbers[first], numbers[i]);
                parts.add(read(transaction, part, limit));
                first = i + 1;
            }
        }
        return AsyncUtil.whenAll(parts)
                .thenApply(unused ->
                        parts.stream().flatMap(part -> part.join().stream()).toList());
    }

    /** Removes up to {@code limit} edges; whether there are more. Notes for each dependent whether it must fail. */
    private boolean disconnect(
            Transaction transaction,
            LoadedFuture upstream,
            List<KeyValue> edges,
            int limit,
            Map<FutureId, Boolean> touched) {
        boolean failed = upstream.state() != State.STATE_REALIZED;
        for (KeyValue edge : edges.subList(0, Math.min(limit, edges.size()))) {
            Tuple key = keys.dependents.elements(edge.getKey());
            FutureId downstream = new FutureId(key.getUUID(1));
            written.disconnect(transaction, downstream, new FutureId(key.getUUID(0)));
            touched.merge(downstream, failed, Boolean::logicalOr);
        }
        if (edges.size() > limit) {
            written.leaveUnsettled(transaction, upstream.id());
            return true;
        }
        written.settle(transaction, upstream.id());
        return false;
    }

    private CompletableFuture<Void> releaseReady(
            FutureTransaction futures,
            List<LoadedFuture> downstreams,
            Map<FutureId, Boolean> touched,
            Map<ByteString, String> hosts) {
        Map<LoadedFuture, CompletableFuture<Boolean>> ready = new LinkedHashMap<>();
        for (LoadedFuture downstream : downstreams) {
            if (downstream.state() == State.STATE_WAITING) {
                ready.put(
                        downstream,
                        isDoomed(downstream, touched)
                                ? CompletableFuture.completedFuture(true)
                                : waitsForNothing(futures.transaction(), downstream.id()));
            }
        }
        List<FutureId> wantedNear = ready.keySet().stream()
                .map(downstream -> downstream.record().getSchedulingSpec().getLocality())
                .filter(Locality::hasNear)
                .map(locality -> Ids.of(locality.getNear()))
                .toList();
        return AsyncUtil.whenAll(ready.values())
                .thenCompose(unused -> futures.loadAll(wantedNear))
                .thenCompose(near -> {
                    List<CompletableFuture<Void>> others = new ArrayList<>();
                    ready.forEach((downstream, isReady) -> {
                        if (isReady.join()) {
                            if (isDoomed(downstream, touched)) {
                                others.add(disconnect(futures.transaction(), downstream.id()));
                            }
                            LocalityResolver.assignNear(downstream, near);
                            LocalityResolver.assignToHost(
                                    downstream, hosts.get(downstream.record().getActor()));
                            futures.ready(downstream, Event.UPSTREAMS_DONE);
                        }
                    });
                    return AsyncUtil.whenAll(others);
                });
    }

    /** Whether it need not wait for the rest. A call of an actor waits for its turn even to fail. */
    private static boolean isDoomed(LoadedFuture downstream, Map<FutureId, Boolean> touched) {
        return touched.getOrDefault(downstream.id(), false)
                && downstream.record().getActor().isEmpty();
    }

    /** Where the calls of actors that are done have run. */
    private static Map<ByteString, String> hosts(Collection<LoadedFuture> done) {
        Map<ByteString, String> hosts = new HashMap<>();
        for (LoadedFuture call : done) {
            if (!call.record().getActor().isEmpty()) {
                hosts.put(call.record().getActor(), call.record().getClaim().getSeat());
            }
        }
        return hosts;
    }

    /** Removes whatever edges a future still waits by, from both ends. */
    CompletableFuture<Void> disconnect(Transaction transaction, FutureId downstream) {
        Range waits = keys.waits.range(downstream.value());
        return read(transaction, waits, UPSTREAMS_MAX + 1).thenAccept(edges -> {
            for (KeyValue edge : edges) {
                written.disconnect(
                        transaction,
                        downstream,
                        new FutureId(keys.waits.elements(edge.getKey()).getUUID(1)));
            }
        });
    }

    private CompletableFuture<Boolean> waitsForNothing(Transaction transaction, FutureId id) {
        Range waits = keys.waits.range(id.value());
        byte[] middle = keys.waits.key(id.value(), new UUID(random.nextLong(), random.nextLong()));
        ReadTransaction snapshot = transaction.snapshot();
        return read(snapshot, new Range(middle, waits.end), 1)
                .thenCompose(later -> later.isEmpty()
                        ? read(snapshot, new Range(waits.begin, middle), 1)
                        : CompletableFuture.completedFuture(later))
                .thenApply(found -> {
                    if (found.isEmpty()) {
                        transaction.addReadConflictRange(waits.begin, waits.end);
                    } else {
                        transaction.addReadConflictKey(found.get(0).getKey());
                    }
                    return found.isEmpty();
                });
    }

    private static CompletableFuture<List<KeyValue>> read(ReadTransaction transaction, Range range, int limit) {
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(range.begin),
                        KeySelector.firstGreaterOrEqual(range.end),
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
    }
}
