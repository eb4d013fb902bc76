/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import com.apple.foundationdb.FDBException;
import dev.ratchet.futures.claim.Claiming.Cause;
import dev.ratchet.futures.claim.Idleness.Event;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.ClassUpkeep;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.queue.Look;
import dev.ratchet.futures.queue.Look.OtherParts;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.membership.Seat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes futures off the queue in the name of a seat, several in one transaction. Two workers may look at the same
 * entry; one of their transactions conflicts on the record. A claim whose outcome is unknown is found again by its
 * nonce.
 */
public final class Claimer {

    private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

    /** Most futures of one claim transaction. */
    public static final int BATCH_MAX = 256;

    /** So many classes of which nothing waits are forgotten by who meets them; fewer wait for the tidying. */
    private static final int EMPTY_MAX = 20;

    /** One claim in so many looks at the pool before the seat's own queue. */
    private static final int POOL_SHARE = 4;

    private static final Room NO_ROOM = new Room(0, new Capacity(0, 0, 0, Map.of()), 0);

    private final FutureStore store;
    private final Seat seat;
    private final WorkQueue queue;
    private final IdleSeats idleSeats;
    private final SessionFence fence;
    private final ClassUpkeep classUpkeep;
    private volatile Idleness idleness = Idleness.BUSY;
    private volatile WakeUp wakeUp = WakeUp.ANSWERED;
    /** The claim that is in flight, or was last. */
    private volatile Optional<Claiming> last = Optional.empty();
    /** Others are given time to take what lies in their parts of the queue. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    private int turn;

    /** What became of the last wake-up. */
    private enum WakeUp {
        /** There was one or none, and whatever it was for is taken or left to others. */
        ANSWERED,
        /** What it was for was found in parts of others, or there was no room; nobody was met there since. */
        OPEN
    }

    public Claimer(FutureStore store, Seat seat, RequirementClasses classes, Supplier<WorkQueue.Slice> slice) {
        this.store = store;
        this.seat = seat;
        this.queue = new WorkQueue(store, classes, slice);
        this.fence = new SessionFence(store.keys());
        this.classUpkeep = new ClassUpkeep(store);
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * Claims what there is room for, up to {@value #BATCH_MAX} futures; none if nothing waits in the own part of the
     * queue, nor in those of others, where this worker was woken or they have let it lie. What is assigned to this seat
     * comes first, but for a share that is left for the pool. Fails where the seat may not take work.
     */
    public CompletableFuture<List<Claimed>> claim(Room room) {
        Idleness before = idleness;
        Claiming claiming = new Claiming(
                room,
                wakeUp == WakeUp.OPEN || before.mayWakeFor(room) ? Cause.WAKE_UP : Cause.ROOM,
                before.isIdle(),
                turn++ % POOL_SHARE == POOL_SHARE - 1,
                store.environment().random().nextLong());
        last = Optional.of(claiming);
        return store.run(futures -> attempt(futures, claiming)).thenApply(claims -> {
            if (!claims.isEmpty()) {
                idleness = idleness.on(Event.TAKE);
            }
            wakeUp = claiming.leavesWakeUpOpen() ? WakeUp.OPEN : WakeUp.ANSWERED;
            forget(claiming.empty());
            return claims;
        });
    }

    /**
     * As {@link #claim}, futures of sessions alone, and also where the seat may take no other work: a worker that
     * leaves carries its sessions through. Wakes nobody.
     */
    public CompletableFuture<List<Claimed>> claimOfSessions(Room room) {
        Claiming claiming = new Claiming(
                room, Cause.ROOM, false, false, store.environment().random().nextLong());
        last = Optional.of(claiming);
        return store.run(futures -> {
            CompletableFuture<Void> fenced = seat.fence(futures.transaction());
            ClaimTransaction one = new ClaimTransaction(store, seat, queue, fence, futures, claiming);
            return fenced.thenCompose(unused -> one.claimedBefore())
                    .thenCompose(before ->
                            before.isEmpty() ? one.claimOfSessions() : CompletableFuture.completedFuture(before));
        });
    }

    private void forget(List<byte[]> empty) {
        if (empty.size() >= EMPTY_MAX) {
            var unused = classUpkeep.forget(empty).exceptionally(failure -> {
                LOG.warn("classes of which nothing waits could not be forgotten, to be tried again", failure);
                return null;
            });
        }
    }

    private CompletableFuture<List<Claimed>> attempt(FutureTransaction futures, Claiming claiming) {
        CompletableFuture<Void> fenced = seat.fenceForWork(futures.transaction());
        ClaimTransaction one = new ClaimTransaction(store, seat, queue, fence, futures, claiming);
        return fenced.thenCompose(unused -> one.claimedBefore()).thenCompose(before -> {
            if (claiming.tryAgainAndMet()) {
                // Somebody was there first, and goes on.
                queue.leaveToOthers();
            }
            return before.isEmpty() ? claimNew(futures, claiming, one) : CompletableFuture.completedFuture(before);
        });
    }

    private CompletableFuture<List<Claimed>> claimNew(
            FutureTransaction futures, Claiming claiming, ClaimTransaction one) {
        Idleness before = idleness;
        return one.claim().thenCompose(claims -> {
            if (!before.isBusy() && !claims.isEmpty()) {
                idleSeats.declareBusy(futures.transaction(), seat.name(), seat.incarnation());
            }
            return wakeOthers(futures, claiming, claims).thenApply(unused -> claims);
        });
    }

    /** Where all room has been taken there may be more, and somebody else looks too; likewise where there was none. */
    private CompletableFuture<Void> wakeOthers(FutureTransaction futures, Claiming claiming, List<Claimed> claims) {
        Room left = claiming.room();
        claims.forEach(claim -> left.take(
                claim.record().getPartition().getRequirementClass(), SchedulingSpecs.requirements(claim.record()), 1));
        Map<String, Integer> classes = new LinkedHashMap<>();
        for (Claimed claim : claims) {
            String id = claim.record().getPartition().getRequirementClass();
            if (!left.fits(id, SchedulingSpecs.requirements(claim.record()))) {
                classes.put(id, 1);
            }
        }
        if (claiming.passesOn()) {
            claiming.leftOut().forEach(id -> classes.put(id, 1));
        }
        return idleSeats.wakeOthers(futures, classes);
    }

    /**
     * Whether a claim with this room may find something, as far as is known: most queues hold one class only. Where
     * this worker is declared idle, somebody may have woken it for anything: what it has no room for is for others,
     * whom nobody else wakes.
     */
    public boolean mustLook(Room room) {
        return room.futures() > 0 || (room.others() > 0 && queue.hasSeenOthers()) || idleness.isIdle();
    }

    /** Whether the last claim has left some that there was room for: there were many, or others may want them. */
    public boolean hasLeftSome() {
        return last.filter(Claiming::hasLeftSome).isPresent();
    }

    /** Whether this worker is declared idle, as far as is known: whoever fills the queue wakes it. */
    public boolean isIdle() {
        return idleness.isIdle();
    }

    /** Whether this worker will be woken for whatever fits into this room, as far as is known. */
    public boolean willBeWokenFor(Room room) {
        return idleness.willWakeFor(room);
    }

    /** Who wakes a worker takes it off the idle ones: if it does not look now, it must once it has room. */
    void mayHaveBeenWoken() {
        Room declared = idleness.room();
        if (declared != null && declared.futures() > 0) {
            wakeUp = WakeUp.OPEN;
        }
        idleness = idleness.on(Event.WAKE);
    }

    /**
     * Declares this worker idle, unless something waits after all.
     *
     * @return whether it is idle now and will be woken
     */
    public CompletableFuture<Boolean> becomeIdle(Room room) {
        return becomeIdle(room, false);
    }

    /** As {@link #becomeIdle}, but where somebody fills the queue meanwhile something waits: nothing is tried again. */
    public CompletableFuture<Boolean> becomeIdleUnlessDisturbed(Room room) {
        return becomeIdle(room, true);
    }

    /**
     * As {@link #becomeIdle}; but where something waits in a part of the queue where others begin, and they are given
     * time to take it, {@code look} is run when that is over.
     *
     * @return whether there is nothing to be looked for at once
     */
    public CompletableFuture<Boolean> becomeIdleOrWait(Room room, Runnable look) {
        return becomeIdle(room, false).thenApply(none -> {
            if (!none && last.filter(Claiming::hasFoundSome).isPresent()) {
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
        idleness = idleness.on(Event.DECLARE);
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
                        idleness = none ? idleness.accepted(room) : idleness.on(Event.REFUSE);
                        return none;
                    }
                    idleness = idleness.on(Event.FAIL);
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (once && cause instanceof FDBException refused && refused.isRetryable()) {
                        return false;
                    }
                    throw new CompletionException(cause);
                });
    }

    /**
     * Takes back that this worker is idle, so that nobody wakes it who counts on its taking work. Who has woken it
     * before that counts on it too, and is not to be told from others: what waits then is for another idle worker.
     */
    CompletableFuture<Void> becomeUnavailable() {
        if (idleness.isBusy() && wakeUp == WakeUp.ANSWERED) {
            return CompletableFuture.completedFuture(null);
        }
        idleness = idleness.on(Event.WITHDRAW);
        return store.runPlain(transaction -> seat.fence(transaction)
                        .thenRun(() -> idleSeats.declareBusy(transaction, seat.name(), seat.incarnation())))
                .thenCompose(unused ->
                        store.run(futures -> seat.fence(futures.transaction()).thenCompose(held -> passOn(futures))))
                .thenAccept(unused -> {
                    idleness = idleness.on(Event.WITHDRAWN);
                    wakeUp = WakeUp.ANSWERED;
                });
    }

    /** Wakes others for all that waits. Reads after the commit of what keeps this worker from being woken. */
    private CompletableFuture<Void> passOn(FutureTransaction futures) {
        return queue.look(futures.transaction().snapshot()).thenCompose(reads -> {
            Look look = new Look(reads, NO_ROOM.copy(), OtherParts.OVERDUE);
            return queue.peek(look).thenCompose(nothing -> {
                Map<String, Integer> classes = new LinkedHashMap<>();
                look.leftOut().forEach(id -> classes.put(id, 1));
                return idleSeats.wakeOthers(futures, classes);
            });
        });
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
}
