/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.queue.QueueEntry;
import dev.ratchet.futures.queue.QueueReads;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.record.SchedulingSpecs;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes futures off the queue in the name of a seat, several in one transaction. Two workers may look at the same
 * entry; one of their transactions conflicts on the record. A claim whose outcome is unknown is found again by its
 * nonce.
 */
final class Claimer {

    /** Most futures of one claim transaction. */
    static final int BATCH_MAX = 256;

    /** Entries of the seat's own queue looked at in one claim, more where there is room for more. */
    private static final int ASSIGNED_MIN = 64;

    /** One claim in so many looks at the pool before the seat's own queue. */
    private static final int POOL_SHARE = 4;

    private final FutureStore store;
    private final Seat seat;
    private final WorkQueue queue;
    private final IdleSeats idleSeats;
    private final SessionFence fence;
    /** The store may say that this worker is idle. */
    private volatile boolean mayBeIdle;
    /** With which room it is declared idle, if it is known to be. */
    private volatile @Nullable Room idle;

    /** Was woken, and has found what for in parts of others, or has had no room; nobody was met there since. */
    private volatile boolean stillWoken;
    /** Of the seat's own queue the last claim has seen a part. */
    private volatile boolean leftAssigned;
    /** Others are given time to take what lies in their parts of the queue. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    private int turn;

    Claimer(FutureStore store, Seat seat, RequirementClasses classes, Supplier<WorkQueue.Slice> slice) {
        this.store = store;
        this.seat = seat;
        this.queue = new WorkQueue(store, classes, slice);
        this.fence = new SessionFence(store.keys());
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * Claims what there is room for, up to {@value #BATCH_MAX} futures; none if nothing waits in the own part of the
     * queue, nor in those of others, where this worker was woken or they have let it lie. What is assigned to this seat
     * comes first, but for a share that is left for the pool. Fails where the seat may not take work.
     */
    CompletableFuture<List<Claimed>> claim(Room room) {
        long nonce = store.environment().random().nextLong();
        Set<FutureId> tried = new LinkedHashSet<>();
        boolean poolFirst = turn++ % POOL_SHARE == POOL_SHARE - 1;
        boolean woken = stillWoken || mayBeWokenFor(room);
        boolean passesOn = idle != null;
        AtomicInteger tries = new AtomicInteger();
        AtomicBoolean met = new AtomicBoolean();
        return store.run(futures -> {
                    CompletableFuture<Void> fenced = seat.fenceForWork(futures.transaction());
                    ReadTransaction snapshot = futures.transaction().snapshot();
                    Waiting waiting =
                            new Waiting(queue.assigned(snapshot, seat.name(), assignedMax(room)), queue.look(snapshot));
                    return fenced.thenCompose(unused -> claimedBefore(futures, tried, nonce))
                            .thenCompose(before -> {
                                if (tries.incrementAndGet() > 1 && queue.hasTakenElsewhere()) {
                                    // Somebody was there first, and goes on.
                                    queue.leaveToOthers();
                                    met.set(true);
                                }
                                Look look = new Look(room, woken, passesOn, poolFirst, nonce);
                                return before.isEmpty()
                                        ? claimNew(futures, look, waiting, tried)
                                        : CompletableFuture.completedFuture(before);
                            });
                })
                .thenApply(claims -> {
                    if (!claims.isEmpty()) {
                        idle = null;
                        mayBeIdle = false;
                    }
                    stillWoken = woken && !met.get() && queue.hasTakenElsewhere();
                    return claims;
                });
    }

    /**
     * How a claim looks at the queue.
     *
     * @param passesOn whether this worker may have been woken for what it has no room for by now
     */
    private record Look(Room room, boolean elsewhere, boolean passesOn, boolean poolFirst, long nonce) {}

    /**
     * What may be claimed, read at the same time as whether this worker may claim.
     *
     * @param pooled the beginning of the queue
     */
    private record Waiting(CompletableFuture<List<QueueEntry>> assigned, CompletableFuture<QueueReads> pooled) {}

    /**
     * Whether a claim with this room may find something, as far as is known: most queues hold one class only. Where
     * this worker is declared idle, somebody may have woken it for anything: what it has no room for is for others,
     * whom nobody else wakes.
     */
    boolean mustLook(Room room) {
        return room.futures() > 0 || (room.others() > 0 && queue.hasSeenOthers()) || idle != null;
    }

    /** Whether the last claim has left some that there was room for: there were many, or others may want them. */
    boolean hasLeftSome() {
        return queue.hasLeftSome() || leftAssigned;
    }

    private static int assignedMax(Room room) {
        return Math.max(ASSIGNED_MIN, room.futures());
    }

    /** Whether this worker is declared idle, as far as is known: whoever fills the queue wakes it. */
    boolean isIdle() {
        return idle != null;
    }

    /** Whether this worker will be woken for whatever fits into this room, as far as is known. */
    boolean willBeWokenFor(Room room) {
        Room declared = idle;
        return declared != null
                && (declared.futures() > 0 || room.futures() == 0)
                && declared.others() >= room.others()
                && declared.capacity().equals(room.capacity());
    }

    /**
     * Whether somebody may have woken this worker for what fits into this room, rather than room having become free.
     */
    private boolean mayBeWokenFor(Room room) {
        Room declared = idle;
        return declared != null && (declared.futures() > 0 || room.futures() == 0);
    }

    /** Who wakes a worker takes it off the idle ones: if it does not look now, it must once it has room. */
    void mayHaveBeenWoken() {
        Room declared = idle;
        stillWoken |= declared != null && declared.futures() > 0;
        idle = null;
    }

    /**
     * Declares this worker idle, unless something waits after all.
     *
     * @return whether it is idle now and will be woken
     */
    CompletableFuture<Boolean> becomeIdle(Room room) {
        return becomeIdle(room, false);
    }

    /** As {@link #becomeIdle}, but where somebody fills the queue meanwhile something waits: nothing is tried again. */
    CompletableFuture<Boolean> becomeIdleUnlessDisturbed(Room room) {
        return becomeIdle(room, true);
    }

    /**
     * As {@link #becomeIdle}; but where something waits in a part of the queue where others begin, and they are given
     * time to take it, {@code look} is run when that is over.
     *
     * @return whether there is nothing to be looked for at once
     */
    CompletableFuture<Boolean> becomeIdleOrWait(Room room, Runnable look) {
        return becomeIdle(room, false).thenApply(none -> {
            if (!none && queue.hasFoundSome()) {
                // All of it was void, and is gone.
                return false;
            }
            if (!none && !waiting.getAndSet(true)) {
                var unused = store.environment().schedule(queue.patienceMillis(), () -> {
                    waiting.set(false);
                    look.run();
                });
            }
            return true;
        });
    }

    private CompletableFuture<Boolean> becomeIdle(Room room, boolean once) {
        boolean before = mayBeIdle;
        idle = null;
        mayBeIdle = true;
        return store.runPlain(transaction -> {
                    if (once) {
                        transaction.options().setRetryLimit(0);
                    }
                    return seat.fenceForWork(transaction)
                            .thenCompose(unused -> queue.isEmpty(transaction, room))
                            .thenCombine(queue.assigned(transaction, seat.name(), 1), (empty, assigned) -> {
                                boolean none = empty && assigned.isEmpty();
                                if (none) {
                                    idleSeats.declareIdle(transaction, seat.name(), seat.incarnation(), free(room));
                                }
                                return none;
                            });
                })
                .handle((none, failure) -> {
                    if (failure == null) {
                        idle = none ? room : null;
                        mayBeIdle = none || before;
                        return none;
                    }
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (once && cause instanceof FDBException refused && refused.isRetryable()) {
                        return false;
                    }
                    throw new CompletionException(cause);
                });
    }

    /** Takes back that this worker is idle, so that nobody wakes it who counts on its taking work. */
    CompletableFuture<Void> becomeUnavailable() {
        if (!mayBeIdle) {
            return CompletableFuture.completedFuture(null);
        }
        idle = null;
        return store.runPlain(transaction -> {
                    idleSeats.declareBusy(transaction, seat.name(), seat.incarnation());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .thenAccept(unused -> mayBeIdle = false);
    }

    /** What an idle seat can take: a future of the default class just where there is room for one. */
    private static Capacity free(Room room) {
        Capacity capacity = room.capacity();
        long cpuMillis = SchedulingSpecs.DEFAULT_REQUIREMENTS.getCpuMillis();
        return new Capacity(
                room.futures() == 0
                        ? Math.min(cpuMillis - 1, capacity.cpuMillis())
                        : Math.max(cpuMillis, capacity.cpuMillis()),
                capacity.memoryBytes(),
                capacity.gpuMillis(),
                capacity.custom());
    }

    /** After an unknown outcome: what the former try has claimed, if it was committed. */
    private CompletableFuture<List<Claimed>> claimedBefore(FutureTransaction futures, Set<FutureId> tried, long nonce) {
        return futures.loadAll(tried).thenApply(loaded -> loaded.stream()
                .filter(future -> future.state() == State.STATE_CLAIMED
                        && future.record().getClaim().getNonce() == nonce)
                .map(future -> new Claimed(future.id(), future.record().build()))
                .toList());
    }

    private CompletableFuture<List<Claimed>> claimNew(
            FutureTransaction futures, Look look, Waiting waiting, Set<FutureId> tried) {
        Room room = look.room().copy();
        Transaction transaction = futures.transaction();
        boolean wasIdle = mayBeIdle;
        CompletableFuture<List<Claimed>> first = look.poolFirst()
                ? claimPooled(futures, look, waiting, room, tried)
                : claimAssigned(futures, look, waiting, room, tried);
        return first.thenCompose(some -> (look.poolFirst()
                                ? claimAssigned(futures, look, waiting, room, tried)
                                : claimPooled(futures, look, waiting, room, tried))
                        .thenApply(others -> {
                            List<Claimed> all = new ArrayList<>(some);
                            all.addAll(others);
                            return all;
                        }))
                .thenCompose(claims -> {
                    if (wasIdle && !claims.isEmpty()) {
                        idleSeats.declareBusy(transaction, seat.name(), seat.incarnation());
                    }
                    return wakeOthers(futures, look, claims).thenApply(unused -> claims);
                });
    }

    /** Where all room has been taken there may be more, and somebody else looks too; likewise where there was none. */
    private CompletableFuture<Void> wakeOthers(FutureTransaction futures, Look look, List<Claimed> claims) {
        Room left = look.room().copy();
        claims.forEach(claim -> left.take(
                claim.record().getPartition().getRequirementClass(), SchedulingSpecs.requirements(claim.record()), 1));
        Map<String, Integer> classes = new LinkedHashMap<>();
        for (Claimed claim : claims) {
            String id = claim.record().getPartition().getRequirementClass();
            if (!left.fits(id, SchedulingSpecs.requirements(claim.record()))) {
                classes.put(id, 1);
            }
        }
        if (look.passesOn()) {
            queue.leftOut().forEach(id -> classes.put(id, 1));
        }
        return idleSeats.wakeOthers(futures, classes);
    }

    private CompletableFuture<List<Claimed>> claimAssigned(
            FutureTransaction futures, Look look, Waiting waiting, Room room, Set<FutureId> tried) {
        return waiting.assigned().thenCompose(entries -> {
            leftAssigned = entries.size() == assignedMax(look.room());
            return claimEntries(
                    futures,
                    entries,
                    State.STATE_ASSIGNED,
                    future -> room.take(
                                    future.record().getPartition().getRequirementClass(),
                                    SchedulingSpecs.requirements(future.record()),
                                    1)
                            == 1,
                    look.nonce(),
                    tried);
        });
    }

    private CompletableFuture<List<Claimed>> claimPooled(
            FutureTransaction futures, Look look, Waiting waiting, Room room, Set<FutureId> tried) {
        return waiting.pooled()
                .thenCompose(reads -> queue.peek(reads, room, look.elsewhere()))
                .thenCompose(entries ->
                        claimEntries(futures, entries, State.STATE_QUEUED, future -> true, look.nonce(), tried));
    }

    private CompletableFuture<List<Claimed>> claimEntries(
            FutureTransaction futures,
            List<QueueEntry> entries,
            State expected,
            Predicate<LoadedFuture> fits,
            long nonce,
            Set<FutureId> tried) {
        Map<FutureId, QueueEntry> byId = new LinkedHashMap<>();
        entries.forEach(entry -> byId.merge(entry.id(), entry, Claimer::newer));
        return futures.loadAll(byId.keySet()).thenCompose(loaded -> fence.sessionsOf(futures.transaction(), loaded)
                .thenApply(sessions -> claimLoaded(
                        futures,
                        byId,
                        entries,
                        loaded,
                        expected,
                        future -> isBound(future, sessions),
                        fits,
                        nonce,
                        tried)));
    }

    /** Whether a future is of no session, or of one that is open here: that is written down with the claim. */
    private boolean isBound(LoadedFuture future, Map<ByteString, Optional<SessionRecord>> sessions) {
        if (!SessionFence.isOfSession(future)) {
            return true;
        }
        Optional<SessionRecord> session = SessionFence.inForce(future, sessions, seat.name(), seat.incarnation());
        session.ifPresent(bound ->
                future.change().getSchedulingSpecBuilder().getSessionBuilder().setToken(bound.getToken()));
        return session.isPresent();
    }

    private List<Claimed> claimLoaded(
            FutureTransaction futures,
            Map<FutureId, QueueEntry> byId,
            List<QueueEntry> entries,
            List<LoadedFuture> loaded,
            State expected,
            Predicate<LoadedFuture> bound,
            Predicate<LoadedFuture> fits,
            long nonce,
            Set<FutureId> tried) {
        List<Claimed> claims = new ArrayList<>();
        Set<FutureId> left = new LinkedHashSet<>();
        for (LoadedFuture future : loaded) {
            QueueEntry entry = byId.get(future.id());
            if (entry == null
                    || future.state() != expected
                    || future.record().getTicket() != entry.ticket()
                    || !bound.test(future)) {
                continue;
            }
            if (fits.test(future)) {
                take(futures, future, nonce);
                tried.add(future.id());
                claims.add(new Claimed(future.id(), future.record().build()));
            } else {
                left.add(future.id());
            }
        }
        for (QueueEntry entry : entries) {
            if (!left.contains(entry.id())) {
                futures.transaction().clear(entry.key());
            }
        }
        return claims;
    }

    private static QueueEntry newer(QueueEntry one, QueueEntry other) {
        return one.ticket() >= other.ticket() ? one : other;
    }

    private void take(FutureTransaction futures, LoadedFuture future, long nonce) {
        future.apply(Event.CLAIM);
        long epoch = future.record().getEpoch() + 1;
        if (!future.record().getSchedulingSpec().getLocality().getRequired()) {
            future.change().clearAssignedSeat();
        }
        future.change()
                .clearNotBeforeWallMillis()
                .setClaimedWallMillis(store.environment().wallClockMillis())
                .setEpoch(epoch)
                .setNumAttempts(future.record().getNumAttempts() + 1)
                .setClaim(ClaimToken.newBuilder()
                        .setSeat(seat.name())
                        .setIncarnation(seat.incarnation())
                        .setEpoch(epoch)
                        .setNonce(nonce));
        futures.transaction()
                .set(
                        store.keys()
                                .claims
                                .key(
                                        seat.name(),
                                        seat.incarnation(),
                                        future.id().value()),
                        FutureKeys.PRESENT);
    }
}
