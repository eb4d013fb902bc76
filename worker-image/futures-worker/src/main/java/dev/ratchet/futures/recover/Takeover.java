/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.recover.AwaitedCopies.Awaited;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what a dead incarnation held: its claims count as lost attempts and are queued again, or have failed where
 * no attempt is left; the copies of results that it held are forgotten, and a result without any other copy is LOST.
 * Copies that are awaited, see {@link AwaitedCopies}, are left to the next process of the seat. Anybody may do it,
 * several at once; what the dead one still wanted to write is refused by its tokens. That the incarnation is dead is
 * checked in the same transaction as far as the store knows, and else by what this process has observed. Claims of
 * tasks with external effects, which tokens do not fence, are kept until {@link LostEffects} says that the dead one has
 * stopped. An incarnation that may come back finds in its mail what was taken from it, and stops that.
 */
public final class Takeover {

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    /** Claims released, or copies forgotten, by one transaction. */
    private static final int PAGE = 256;

    /** Futures of claims released by one transaction: those of a lost block become futures by themselves. */
    private static final int FUTURES_MAX = 1_000;

    private final FutureStore store;
    private final Members members;
    private final Liveness liveness;
    private final Recorder recorder;
    private final Dependents dependents;
    private final IdleSeats idleSeats;
    private final LostEffects lostEffects;
    private final AwaitedCopies awaited;
    /** Of which process what is awaited, by the seat. */
    private final Map<String, Kept> awaitedSeats = new ConcurrentHashMap<>();

    /** @param ownSeat the seat whose copies are not awaited, because its process is this one */
    public Takeover(
            FutureStore store,
            String ownSeat,
            Members members,
            Liveness liveness,
            Recorder recorder,
            Dependents dependents) {
        this.store = store;
        this.members = members;
        this.liveness = liveness;
        this.recorder = recorder;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
        this.lostEffects = new LostEffects(store.environment(), liveness, this::release);
        this.awaited = new AwaitedCopies(store.keys(), ownSeat, liveness);
    }

    /** Where a transaction begins: among the claims, and, where there are none, among the copies. */
    private record Position(byte[] claims, byte[] held) {}

    /**
     * One transaction's result.
     *
     * @param next where the next one begins; null after the last
     * @param keptMillis for how long the holder of claims that were kept may still have effects; 0 = none were
     * @param kept which copies were left to the next process of the seat; null: none
     */
    private record Page(
            int claims,
            @Nullable Position next,
            long keptMillis,
            @Nullable Kept kept) {

        /** Where there is nothing to do, or no more. */
        static final Page LAST = new Page(0, null, 0, null);

        /** Both results, of which {@code later} came last. */
        Page and(Page later) {
            return new Page(
                    claims + later.claims,
                    later.next,
                    Math.max(keptMillis, later.keptMillis),
                    later.kept == null ? kept : later.kept);
        }
    }

    /**
     * Copies that were left to the next process of a seat.
     *
     * @param incarnation up to this one
     * @param all also those of results that can be computed again
     */
    private record Kept(long incarnation, boolean all) {}

    /**
     * Releases everything that incarnations of {@code seat} up to {@code incarnation} hold, and by itself later what it
     * keeps of that now.
     *
     * @return how many claims were released; 0 also when the incarnation turns out to be alive
     */
    public CompletableFuture<Integer> release(String seat, long incarnation) {
        lostEffects.found(seat, incarnation);
        Position first = new Position(
                store.keys().claims.range(seat).begin, store.keys().held.range(seat).begin);
        return releasePages(seat, incarnation, first, Page.LAST).thenApply(claims -> {
            if (claims > 0) {
                LOG.info(
                        "released the claims of a dead worker otherSeat={} otherIncarnation={} claims={}",
                        seat,
                        incarnation,
                        claims);
            }
            return claims;
        });
    }

    /** Whether copies of a seat stay recorded for its next process. */
    public boolean isAwaited(String seat) {
        return awaitedSeats.containsKey(seat);
    }

    private CompletableFuture<Integer> releasePages(String seat, long incarnation, Position first, Page before) {
        return store.run(futures -> releasePage(futures, seat, incarnation, first))
                .thenCompose(page -> {
                    Page all = before.and(page);
                    if (page.next() != null) {
                        return releasePages(seat, incarnation, page.next(), all);
                    }
                    if (all.kept() != null) {
                        awaitedSeats.put(seat, all.kept());
                    } else {
                        awaitedSeats.remove(seat);
                    }
                    lostEffects.released(seat, incarnation, all.keptMillis());
                    return CompletableFuture.completedFuture(all.claims());
                });
    }

    private CompletableFuture<Page> releasePage(
            FutureTransaction futures, String seat, long incarnation, Position first) {
        return members.one(futures.transaction(), seat).thenCompose(member -> {
            if (!isDead(member, seat, incarnation)) {
                return CompletableFuture.completedFuture(Page.LAST);
            }
            FutureKeys keys = store.keys();
            Range claims = new Range(first.claims(), keys.claims.key(seat, incarnation + 1));
            return futures.transaction()
                    .getRange(claims, PAGE, false, StreamingMode.WANT_ALL)
                    .asList()
                    .thenCompose(found -> found.isEmpty()
                            ? releaseCopies(futures, member, seat, incarnation, first)
                            : releaseClaims(futures, found, member, incarnation, first));
        });
    }

    /** Those of an incarnation whose copies are awaited are looked at once: nobody adds to them. */
    private CompletableFuture<Page> releaseCopies(
            FutureTransaction futures, Optional<Member> member, String seat, long incarnation, Position first) {
        Range held = new Range(first.held(), store.keys().held.key(seat, incarnation + 1));
        return awaited.holder(futures.transaction(), member).thenCompose(holder -> {
            Kept before = awaitedSeats.get(seat);
            if (holder.isPresent() && new Kept(incarnation, holder.get().all()).equals(before)) {
                return forgetSeat(futures.transaction(), seat, incarnation, before);
            }
            return futures.transaction()
                    .getRange(held, PAGE, false, StreamingMode.WANT_ALL)
                    .asList()
                    .thenCompose(found -> found.isEmpty()
                            ? forgetSeat(futures.transaction(), seat, incarnation, null)
                            : forgetCopies(futures, found, incarnation, holder, first));
        });
    }

    private boolean isDead(Optional<Member> member, String seat, long incarnation) {
        return member.isEmpty()
                || member.get().incarnation() > incarnation
                || member.get().state() == WorkerState.MUST_DIE
                || liveness.isDead(seat, incarnation);
    }

    /**
     * Whether nobody will ever read the seat's mail, by the store alone. A machine that only slept comes back in the
     * same incarnation after others have observed its death, with the same clients waiting on it: its mail is all that
     * tells them of what has ended meanwhile. A later incarnation clears the mail itself.
     */
    private static boolean isOver(Optional<Member> member, long incarnation) {
        return member.isEmpty()
                || (member.get().incarnation() <= incarnation && !member.get().isPresent());
    }

    private CompletableFuture<Page> releaseClaims(
            FutureTransaction futures,
            List<KeyValue> found,
            Optional<Member> member,
            long incarnation,
            Position first) {
        String seat = store.keys().claims.elements(found.getFirst().getKey()).getString(0);
        List<FutureId> ids = found.stream().map(this::claimOf).toList();
        long keptMillis = member.map(holder -> lostEffects.keptMillis(holder, incarnation))
                .orElse(0L);
        return futures.loadAll(ids).thenCompose(loaded -> {
            List<CompletableFuture<List<LoadedFuture>>> claimed = new ArrayList<>();
            Set<FutureId> later = new LinkedHashSet<>();
            Set<FutureId> kept = new LinkedHashSet<>();
            int weight = 0;
            for (LoadedFuture future : loaded) {
                weight += future.futuresAfter();
                if (weight > FUTURES_MAX && !claimed.isEmpty()) {
                    later.add(future.id());
                } else if (keptMillis > 0 && hasEffects(future) && isClaimedBy(future, seat, incarnation)) {
                    kept.add(future.id());
                } else if (isClaimedBy(future, seat, incarnation)) {
                    claimed.add(
                            future.isBlock()
                                    ? futures.takeAll(future)
                                    : CompletableFuture.completedFuture(List.of(future)));
                }
            }
            byte[] next = ByteArrayUtil.keyAfter(found.getLast().getKey());
            for (KeyValue pair : found.reversed()) {
                if (later.contains(claimOf(pair))) {
                    next = pair.getKey();
                } else if (!kept.contains(claimOf(pair))) {
                    futures.drop(FutureIndex.CLAIMED, pair);
                }
            }
            Page page = new Page(0, new Position(next, first.held()), kept.isEmpty() ? 0 : keptMillis, null);
            return AsyncUtil.whenAll(claimed).thenCompose(unused -> {
                List<LoadedFuture> taken =
                        claimed.stream().flatMap(some -> some.join().stream()).toList();
                if (mayComeBack(member, incarnation)) {
                    tell(futures, seat, taken);
                }
                return release(futures, taken, page);
            });
        });
    }

    /** Whether it is dead by what was observed alone: a machine that slept goes on as the same incarnation. */
    private static boolean mayComeBack(Optional<Member> member, long incarnation) {
        return member.filter(holder -> holder.isPresent() && holder.incarnation() <= incarnation)
                .isPresent();
    }

    /** Has the holder stop what it runs of that, under the id of a block or of a future in it, should it come back. */
    private static void tell(FutureTransaction futures, String seat, List<LoadedFuture> taken) {
        taken.stream()
                .flatMap(future -> Stream.of(future.id(), BlockIds.sentAs(future.id())))
                .distinct()
                .forEach(id -> futures.mail(seat, id));
    }

    private static boolean hasEffects(LoadedFuture future) {
        return future.record().getSchedulingSpec().getExternalEffects();
    }

    private FutureId claimOf(KeyValue pair) {
        return new FutureId(store.keys().claims.elements(pair.getKey()).getUUID(2));
    }

    private static boolean isClaimedBy(LoadedFuture future, String seat, long incarnation) {
        ClaimToken claim = future.record().getClaim();
        return future.state() == State.STATE_CLAIMED
                && claim.getSeat().equals(seat)
                && claim.getIncarnation() <= incarnation;
    }

    private CompletableFuture<Page> release(FutureTransaction futures, List<LoadedFuture> claimed, Page page) {
        List<LoadedFuture> done = new ArrayList<>();
        for (LoadedFuture future : claimed) {
            recorder.fail(futures, future, lost(future.record().getClaim()), false);
            if (Lifecycle.isDone(future.state())) {
                done.add(future);
            }
        }
        return dependents.release(futures, done).thenCompose(more -> idleSeats
                .wake(futures)
                .thenApply(unused -> new Page(claimed.size(), page.next(), page.keptMillis(), null)));
    }

    /** @param holder whose copies are awaited, if they are */
    private CompletableFuture<Page> forgetCopies(
            FutureTransaction futures,
            List<KeyValue> found,
            long incarnation,
            Optional<Awaited> holder,
            Position first) {
        Position next = new Position(
                first.claims(), ByteArrayUtil.keyAfter(found.getLast().getKey()));
        List<FutureId> ids = found.stream().map(pair -> nameOf(pair).future()).toList();
        return futures.loadAll(ids).thenApply(loaded -> {
            Map<FutureId, LoadedFuture> byId = new HashMap<>();
            loaded.forEach(future -> byId.put(future.id(), future));
            Kept kept = null;
            for (KeyValue pair : found) {
                Optional<LoadedFuture> result = Optional.ofNullable(
                                byId.get(nameOf(pair).future()))
                        .filter(future -> Copies.isNamed(future, nameOf(pair), copyOf(pair)));
                if (result.isPresent()
                        && holder.filter(
                                        awaited -> awaited.isCopyOf(result.get().record()))
                                .isPresent()) {
                    kept = new Kept(incarnation, holder.get().all());
                } else {
                    futures.drop(FutureIndex.HELD, pair);
                    result.ifPresent(future -> forgetCopy(futures, future, copyOf(pair)));
                }
            }
            return new Page(0, next, 0, kept);
        });
    }

    private ObjectName nameOf(KeyValue held) {
        Tuple key = store.keys().held.elements(held.getKey());
        return new ObjectName(new FutureId(key.getUUID(2)), key.getLong(3));
    }

    private Copy copyOf(KeyValue held) {
        Tuple key = store.keys().held.elements(held.getKey());
        return Copy.newBuilder()
                .setSeat(key.getString(0))
                .setIncarnation(key.getLong(1))
                .build();
    }

    /** Forgets what others have left for incarnations that hold nothing any more. */
    private CompletableFuture<Page> forgetSeat(
            Transaction transaction, String seat, long incarnation, @Nullable Kept kept) {
        FutureKeys keys = store.keys();
        for (Table<?> table : List.of(keys.idle, keys.garbage)) {
            table.clearBetween(transaction, table.range(seat).begin, table.key(seat, incarnation + 1));
        }
        return members.one(transaction, seat).thenApply(member -> {
            if (isOver(member, incarnation)) {
                keys.mailbox.clearAll(transaction, seat);
            }
            return new Page(0, null, 0, kept);
        });
    }

    /** Who holds the last copy that is left may want another one of it. */
    private void forgetCopy(FutureTransaction futures, LoadedFuture future, Copy copy) {
        Copies.remove(future, copy);
        if (future.state() == State.STATE_LOST
                && future.record().getSchedulingSpec().getNoReconstruction()) {
            future.change()
                    .setFailure(Reconstruction.lost(
                            future,
                            "with the worker " + copy.getSeat() + " (incarnation " + copy.getIncarnation()
                                    + "), which has left no undamaged file of it that its next process could find,"
                                    + " and can not or must not be computed again."));
        }
        List<Copy> left = future.record().getResult().getObject().getCopiesList();
        if (left.size() == 1) {
            futures.mail(left.getFirst().getSeat(), future.id());
        }
    }

    private static dev.ratchet.protocol.futures.v1.Failure lost(ClaimToken claim) {
        return Failures.of(
                FailureKind.FAILURE_KIND_WORKER_LOST,
                "dev.ratchet.client.WorkerLost",
                "The worker " + claim.getSeat() + " (incarnation " + claim.getIncarnation()
                        + ") was lost while it had the task. A task that ends its worker every time fails like this,"
                        + " also one that uses up its memory; isolated ones end their own process alone.",
                claim.getSeat());
    }
}
