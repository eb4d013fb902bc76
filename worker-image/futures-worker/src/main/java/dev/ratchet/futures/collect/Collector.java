/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes futures whose retention is over. A future from which others were computed stays as their lineage, without the
 * bytes of its result once all of those are done. The shards of the index are divided among the healthy workers as this
 * one sees them; where two see it differently they only do the same work twice. What a crash leaves undone, the next
 * sweep finds.
 */
public final class Collector {

    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

    /** Futures looked at by one transaction. */
    private static final int PAGE = 200;

    /** Descendants looked at before the bytes of a result are kept for a while longer. */
    private static final int USERS_MAX = 100;

    /** After what time a future is looked at again whose result is still needed: this, or as long as it is kept yet. */
    private static final long LATER_MILLIS = 60_000;

    private final FutureStore store;
    private final Liveness liveness;
    private final String ownSeat;
    private final FutureRemoval removal;
    private final Holders holders;
    private final CodeCollector code;
    private final LongAdder collected = new LongAdder();
    private final AtomicBoolean running = new AtomicBoolean();

    public Collector(FutureStore store, Liveness liveness, String ownSeat, Holders holders) {
        this.holders = holders;
        this.code = new CodeCollector(store);
        this.store = store;
        this.liveness = liveness;
        this.ownSeat = ownSeat;
        this.removal = new FutureRemoval(store.keys());
    }

    /** Futures removed by this worker because their retention was over. */
    public long collected() {
        return collected.sum();
    }

    /** As {@link CodeCollector#keepAlso}. */
    public void keepAlso(Function<ReadTransaction, CompletableFuture<Set<ByteString>>> namedJars) {
        code.keepAlso(namedJars);
    }

    /** Who keeps results beyond their retention. */
    public Holders holders() {
        return holders;
    }

    /** Works until nothing is due, unless that is going on already. */
    public void sweep() {
        if (running.compareAndSet(false, true)) {
            sweepFrom(0);
        }
    }

    /** What can not be begun is for the next sweep, too. */
    private void sweepFrom(int shard) {
        GuardedCallbacks.or(() -> sweepShard(shard), failure -> {
            running.set(false);
            LOG.error("collecting failed as nobody expects, to be tried again by the next sweep", failure);
        });
    }

    private void sweepShard(int shard) {
        if (shard >= FutureKeys.EXPIRY_SHARDS) {
            if (isMine(0)) {
                var unused = holders.releaseForgotten()
                        .thenCompose(released -> code.sweep())
                        .whenComplete((settled, failure) -> {
                            if (failure != null) {
                                LOG.warn("what ended clients and futures have left is for the next sweep", failure);
                            }
                            running.set(false);
                        });
            } else {
                running.set(false);
            }
            return;
        }
        if (!isMine(shard)) {
            sweepShard(shard + 1);
            return;
        }
        collect(shard)
                .whenCompleteAsync(
                        (more, failure) -> {
                            if (failure != null) {
                                LOG.warn("collecting failed, to be found again by the next sweep", failure);
                            }
                            sweepFrom(failure == null && more ? shard : shard + 1);
                        },
                        store.environment().executor());
    }

    private boolean isMine(int shard) {
        List<String> healthy = liveness.latest().stream()
                .filter(member ->
                        member.state() == WorkerState.HEALTHY && !liveness.isDead(member.seat(), member.incarnation()))
                .map(Member::seat)
                .sorted()
                .toList();
        int own = healthy.indexOf(ownSeat);
        return own >= 0 && shard % healthy.size() == own;
    }

    /**
     * What one transaction has done.
     *
     * @param removed futures
     */
    private record Page(int removed, boolean more) {}

    /** Removes what is due in one shard, a page of it; whether there may be more. */
    public CompletableFuture<Boolean> collect(int shard) {
        FutureKeys keys = store.keys();
        long now = store.environment().wallClockMillis();
        Range due = new Range(keys.expiries.range(shard).begin, keys.expiries.key(shard, now + 1));
        return store.run(futures -> FutureRemoval.first(futures.transaction().snapshot(), due, PAGE)
                        .thenCompose(found -> collect(futures, found, now)))
                .thenApply(page -> {
                    collected.add(page.removed());
                    return page.more();
                });
    }

    private CompletableFuture<Page> collect(FutureTransaction futures, List<KeyValue> found, long now) {
        FutureKeys keys = store.keys();
        List<FutureId> ids = found.stream()
                .map(pair -> new FutureId(keys.expiries.elements(pair.getKey()).getUUID(2)))
                .toList();
        return futures.loadAll(ids).thenCompose(loaded -> {
            List<LoadedFuture> some = loaded.subList(0, FutureRemoval.removable(loaded));
            List<CompletableFuture<Optional<LoadedFuture>>> verdicts = some.stream()
                    .map(future -> isUnsettled(futures, future)
                            .thenCompose(unsettled -> unsettled ? waitFor(future, now) : judge(futures, future, now)))
                    .toList();
            return AsyncUtil.whenAll(verdicts).thenCompose(unused -> {
                List<LoadedFuture> over = verdicts.stream()
                        .flatMap(verdict -> verdict.join().stream())
                        .toList();
                int removed =
                        over.stream().mapToInt(LoadedFuture::futuresBefore).sum();
                boolean more = found.size() >= PAGE || some.size() < loaded.size() || !over.isEmpty();
                return removal.remove(futures, over).thenApply(done -> new Page(removed, more));
            });
        });
    }

    /**
     * Whether not everything that waited for it was released: for the order of calls alone nothing keeps its record.
     */
    private CompletableFuture<Boolean> isUnsettled(FutureTransaction futures, LoadedFuture future) {
        return futures.transaction()
                .snapshot()
                .get(store.keys().unsettled.key(future.id().value()))
                .thenApply(found -> found != null);
    }

    private static CompletableFuture<Optional<LoadedFuture>> waitFor(LoadedFuture future, long now) {
        Expiry.move(future, later(future, now));
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** The future, if it is to be removed; else moves its entry to where it belongs. */
    private CompletableFuture<Optional<LoadedFuture>> judge(FutureTransaction futures, LoadedFuture future, long now) {
        if (!FutureRemoval.isCollectable(future.state())) {
            Expiry.move(future, 0);
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return holders.judge(futures, future).thenCompose(held -> {
            switch (held) {
                case UNTIL_TOLD -> Expiry.move(future, 0);
                case FOR_NOW -> Expiry.move(future, later(future, now));
                case NO -> {
                    return removal.isUsed(futures, future.id())
                            .thenCompose(used -> used
                                    ? keep(futures, future, now)
                                    : CompletableFuture.completedFuture(Optional.of(future)));
                }
            }
            return CompletableFuture.completedFuture(Optional.empty());
        });
    }

    /** Ever more seldom, so that what is kept for long costs little. */
    private static long later(LoadedFuture future, long now) {
        return now + Math.max(LATER_MILLIS, now - future.record().getDoneWallMillis());
    }

    /** It stays as lineage: until the last descendant goes, or for now if its result is still needed. */
    private CompletableFuture<Optional<LoadedFuture>> keep(FutureTransaction futures, LoadedFuture future, long now) {
        if (!future.record().getResult().hasObject()
                || future.record().getSchedulingSpec().getNoReconstruction()) {
            Expiry.move(future, 0);
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return needsResult(futures, future).thenApply(needed -> {
            if (needed) {
                Expiry.move(future, later(future, now));
            } else {
                removal.dropResult(futures, future);
                Expiry.move(future, 0);
            }
            return Optional.empty();
        });
    }

    /** By snapshot: whoever needs the result although it was dropped has it computed again. */
    private CompletableFuture<Boolean> needsResult(FutureTransaction futures, LoadedFuture future) {
        FutureKeys keys = store.keys();
        var snapshot = futures.transaction().snapshot();
        return FutureRemoval.first(snapshot, keys.uses.range(future.id().value()), USERS_MAX + 1)
                .thenCompose(users -> {
                    List<CompletableFuture<Optional<FutureRecord>>> reads = new ArrayList<>();
                    users.forEach(user -> reads.add(keys.record(
                            snapshot,
                            new FutureId(keys.uses.elements(user.getKey()).getUUID(1)))));
                    return AsyncUtil.whenAll(reads)
                            .thenApply(unused -> users.size() > USERS_MAX
                                    || reads.stream().anyMatch(read -> read.join()
                                            .filter(user -> Lifecycle.isOpen(user.getState()))
                                            .isPresent()));
                });
    }
}
