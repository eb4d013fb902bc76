/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.record.BlockRanges;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.Lineage;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Removes futures that are done, with all that follows from their records. What others were computed from stays as a
 * DELETED record without content until the last of those is gone, so that they can say what they lack; then it goes
 * too. Decides only; the transaction writes. Repeating it finds nothing and does nothing.
 */
public final class FutureRemoval {

    /** Upstreams of all the futures that one transaction removes: each costs a read and two writes. */
    static final int EDGES_MAX = 2_000;

    private final FutureKeys keys;
    private final Copies copies;

    public FutureRemoval(FutureKeys keys) {
        this.keys = keys;
        this.copies = new Copies(keys);
    }

    /** How many of these, from the first on, one transaction may remove; at least one. */
    static int removable(List<LoadedFuture> futures) {
        int edges = 0;
        int count = 0;
        for (LoadedFuture future : futures) {
            edges += 1 + future.record().getUpstreams();
            if (count > 0 && edges > EDGES_MAX) {
                break;
            }
            count++;
        }
        return count;
    }

    /** Removes futures, each of which is done or LOST, or all that are in a block that is done. */
    CompletableFuture<Void> remove(FutureTransaction futures, List<LoadedFuture> removed) {
        Set<LoadedFuture> touched = Collections.synchronizedSet(new LinkedHashSet<>());
        List<CompletableFuture<Void>> steps = new ArrayList<>();
        for (LoadedFuture future : removed) {
            touched.add(future);
            if (future.isBlock()) {
                forgetChildren(futures, future);
                steps.add(futures.remove(future));
                continue;
            }
            if (future.state() != State.STATE_DELETED) {
                empty(futures, future);
            }
            steps.add(releaseUpstreams(futures, future, touched));
        }
        return all(steps)
                .thenCompose(unused -> settle(futures, touched))
                .thenCompose(unused -> forgetJobs(futures, touched));
    }

    /**
     * Whether others were computed from it, or from any future of a block, be it one that has left it; a read that
     * conflicts with the next one that is.
     */
    CompletableFuture<Boolean> isUsed(FutureTransaction futures, FutureId id) {
        return first(futures.transaction(), BlockRanges.range(keys.uses, id), 1).thenApply(found -> !found.isEmpty());
    }

    /** Drops the bytes of a result that can be computed again, because all that was computed from it is done. */
    void dropResult(FutureTransaction futures, LoadedFuture future) {
        copies.discard(futures, future);
        future.apply(Event.LOSE);
    }

    private void empty(FutureTransaction futures, LoadedFuture future) {
        copies.discard(futures, future);
        Holders.forget(future);
        future.apply(Event.DELETE);
        Expiry.move(future, 0);
        if (future.record().getArgumentChunks() > 0) {
            keys.arguments.clearAll(futures.transaction(), future.id().value());
        }
        if (future.record().getSchedulingSpec().getItemsAhead() > 0) {
            keys.items.clearAll(futures.transaction(), future.id().value());
            keys.itemDemands.clear(futures.transaction(), future.id().value());
        }
        future.change()
                .clearArgument()
                .clearArgumentChunks()
                .clearArgumentUpload()
                .clearArgumentBytes()
                .clearFailure()
                .clearWaiters();
    }

    /** Takes the future out of the lineage of its upstreams, which it adds to {@code touched}, and their blocks. */
    private CompletableFuture<Void> releaseUpstreams(
            FutureTransaction futures, LoadedFuture future, Set<LoadedFuture> touched) {
        if (future.record().getUpstreams() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return keys.upstreamsOf(futures.transaction(), future.id()).thenCompose(upstreams -> {
            Set<FutureId> distinct = new LinkedHashSet<>(upstreams);
            new Lineage(keys).disconnect(futures.transaction(), future.id(), upstreams);
            future.change().setUpstreams(0).setArgumentUpstreams(0);
            distinct.addAll(upstreams.stream().map(BlockIds::sentAs).toList());
            return futures.loadAll(distinct).thenAccept(loaded -> loaded.stream()
                    .filter(upstream -> !upstream.isInBlock())
                    .forEach(touched::add));
        });
    }

    /**
     * What is DELETED and unused goes; what has waited only for its users is looked at again by its retention. All is
     * read before anything changes: many may have left one block, which counts those that are removed.
     */
    private CompletableFuture<Void> settle(FutureTransaction futures, Collection<LoadedFuture> touched) {
        Map<LoadedFuture, CompletableFuture<Boolean>> used = new LinkedHashMap<>();
        Set<FutureId> blocks = new LinkedHashSet<>();
        for (LoadedFuture future : touched) {
            if (future.state() == State.STATE_DELETED) {
                used.put(future, isUsed(futures, future.id()));
                if (BlockIds.isInBlock(future.id())) {
                    blocks.add(BlockIds.blockOf(future.id()));
                }
            } else if (isCollectable(future.state())
                    && future.futuresAfter() > 0
                    && future.record().getExpiresWallMillis() == 0) {
                Expiry.schedule(futures, future);
            }
        }
        return all(used.values()).thenCompose(unused -> futures.loadAll(blocks)).thenCompose(loaded -> {
            List<CompletableFuture<Void>> removals = new ArrayList<>();
            used.forEach((future, isUsed) -> {
                if (!isUsed.join() && !future.isRemoved()) {
                    forgetFamily(futures, future);
                    removals.add(futures.remove(future));
                }
            });
            return all(removals);
        });
    }

    private void forgetFamily(FutureTransaction futures, LoadedFuture future) {
        keys.children.clearAll(futures.transaction(), future.id().value());
        if (!future.record().getParent().isEmpty()) {
            keys.children.clear(
                    futures.transaction(),
                    Ids.of(future.record().getParent()).value(),
                    future.id().value());
        }
    }

    /** Those of the futures that are in a block; what has left it keeps its own. */
    private void forgetChildren(FutureTransaction futures, LoadedFuture block) {
        int[] numbers = BlockFutures.numbers(block.record());
        for (int first = 0; first < numbers.length; ) {
            int last = first;
            while (last + 1 < numbers.length && numbers[last + 1] == numbers[last] + 1) {
                last++;
            }
            Range range = BlockRanges.range(keys.children, block.id(), numbers[first], numbers[last]);
            keys.children.clearBetween(futures.transaction(), range.begin, range.end);
            first = last + 1;
        }
    }

    /** Whether a future may be removed as it is. */
    static boolean isCollectable(State state) {
        return switch (state) {
            case STATE_REALIZED, STATE_FAILED, STATE_CANCELLED, STATE_LOST, STATE_DELETED -> true;
            default -> false;
        };
    }

    private static long removedBy(LoadedFuture future) {
        return future.isBlock() ? future.futuresBefore() - future.futuresAfter() : future.isRemoved() ? 1 : 0;
    }

    /** The counters of a job end with its last future; each new future of it changes those that are read here. */
    private CompletableFuture<Void> forgetJobs(FutureTransaction futures, Set<LoadedFuture> touched) {
        Map<String, Long> removed = touched.stream()
                .filter(future -> removedBy(future) > 0)
                .collect(Collectors.groupingBy(
                        future -> future.record().getJob(), Collectors.summingLong(FutureRemoval::removedBy)));
        Transaction transaction = futures.transaction();
        List<CompletableFuture<Void>> steps = new ArrayList<>();
        removed.forEach((job, count) -> {
            Range byTenant = keys.counts.range(job, "tenant");
            steps.add(transaction.snapshot().getRange(byTenant).asList().thenAccept(tenants -> {
                long known = tenants.stream()
                        .mapToLong(tenant -> keys.counts.decode(tenant.getValue()))
                        .sum();
                if (known == count) {
                    transaction.addReadConflictRange(byTenant.begin, byTenant.end);
                    futures.forgetCounters(job);
                }
            }));
        });
        return all(steps);
    }

    static CompletableFuture<List<KeyValue>> first(ReadTransaction transaction, Range range, int limit) {
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(range.begin),
                        KeySelector.firstGreaterOrEqual(range.end),
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
    }

    private static CompletableFuture<Void> all(Collection<? extends CompletableFuture<?>> steps) {
        return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new));
    }
}
