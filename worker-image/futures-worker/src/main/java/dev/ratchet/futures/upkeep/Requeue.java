/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Demand;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Lets futures that have not started queue elsewhere: with another priority, or for anybody when the seat that they
 * were meant for is gone. Their former entries become void.
 */
public final class Requeue {

    /** Most futures of one transaction. */
    public static final int BATCH_MAX = 100;

    /** Seats with a queue of their own that are looked at in one sweep. */
    static final int SEATS_MAX = 1_000;

    /** No incarnation is as low: whoever has the seat may come back to it. */
    private static final long NOBODY = 0;

    private final FutureStore store;
    private final Members members;
    private final IdleSeats idleSeats;

    public Requeue(FutureStore store, Members members) {
        this.store = store;
        this.members = members;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * Gives up to {@value #BATCH_MAX} futures another priority, and a new place at the end of its partition.
     *
     * @return those that had not started
     */
    public CompletableFuture<List<FutureId>> prioritize(Collection<FutureId> ids, int priority) {
        return store.run(futures -> futures.loadAll(ids).thenCompose(loaded -> {
            List<FutureId> moved = new ArrayList<>();
            for (LoadedFuture future : loaded) {
                boolean ready = Lifecycle.isReady(future.state());
                if (!ready && future.state() != State.STATE_WAITING) {
                    continue;
                }
                moved.add(future.id());
                if (future.record().getSchedulingSpec().getPriority() == priority) {
                    continue;
                }
                future.change().getSchedulingSpecBuilder().setPriority(priority);
                future.change().setPartition(SchedulingSpecs.partition(future.record()));
                if (ready) {
                    futures.ready(future, Event.MOVE);
                }
            }
            return idleSeats.wake(futures).thenApply(unused -> moved);
        }));
    }

    /** Lets futures that were meant for seats that are gone go to anybody, unless they must not. */
    public CompletableFuture<Void> sweep() {
        return store.read(transaction -> Prefixes.of(transaction, store.keys().assignments, SEATS_MAX)
                        .thenCompose(seats -> gone(transaction, seats)))
                .thenCompose(seats -> AsyncUtil.whenAll(
                        seats.stream().map(seat -> release(seat, NOBODY)).toList()));
    }

    /**
     * Lets futures that were meant for a seat go to anybody, unless they must not, or a later incarnation than this
     * dead one has it. The record of the dead one may still say that it is there.
     */
    public CompletableFuture<Void> release(String seat, long incarnation) {
        return release(seat, incarnation, store.keys().assignments.range(seat).begin);
    }

    private CompletableFuture<List<String>> gone(ReadTransaction transaction, List<String> seats) {
        if (seats.isEmpty()) {
            return CompletableFuture.completedFuture(seats);
        }
        return members.all(transaction).thenApply(all -> {
            List<String> present =
                    all.stream().filter(Demand::mayReturn).map(Member::seat).toList();
            return seats.stream().filter(seat -> !present.contains(seat)).toList();
        });
    }

    private CompletableFuture<Void> release(String seat, long incarnation, byte[] from) {
        Range rest = new Range(from, store.keys().assignments.range(seat).end);
        return store.run(futures -> futures.transaction()
                        .snapshot()
                        .getRange(rest, BATCH_MAX, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedFuture(found)
                                : releasePage(futures, seat, incarnation, found).thenApply(unused -> found)))
                .thenCompose(found -> found.size() < BATCH_MAX
                        ? CompletableFuture.completedFuture(null)
                        : release(
                                seat,
                                incarnation,
                                ByteArrayUtil.join(found.get(found.size() - 1).getKey(), new byte[] {0})));
    }

    private CompletableFuture<Void> releasePage(
            FutureTransaction futures, String seat, long incarnation, List<KeyValue> found) {
        List<FutureId> ids =
                found.stream().map(pair -> Ids.read(pair.getValue(), 0)).toList();
        return members.one(futures.transaction(), seat)
                .thenCombine(
                        futures.loadAll(ids),
                        (member, loaded) -> isBack(member, incarnation) ? List.<LoadedFuture>of() : loaded)
                .thenCompose(loaded -> {
                    for (LoadedFuture future : loaded) {
                        if (future.state() == State.STATE_ASSIGNED
                                && future.record().getAssignedSeat().equals(seat)
                                && !SchedulingSpecs.isBound(future.record())) {
                            future.change().clearAssignedSeat();
                            futures.ready(future, Event.MOVE);
                        }
                    }
                    return idleSeats.wake(futures);
                });
    }

    private static boolean isBack(Optional<Member> member, long dead) {
        return member.filter(Demand::mayReturn)
                .filter(present -> present.incarnation() > dead)
                .isPresent();
    }
}
