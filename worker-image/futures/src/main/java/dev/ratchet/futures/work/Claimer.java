/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.queue.QueueEntry;
import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Takes futures off the queue in the name of a seat, several in one transaction. Two workers may look at the same
 * entry; one of their transactions conflicts on the record. A claim whose outcome is unknown is found again by its
 * nonce.
 */
final class Claimer {

    /** Most futures of one claim transaction. */
    static final int BATCH_MAX = 256;

    private final FutureStore store;
    private final Seat seat;
    private final WorkQueue queue;
    private final IdleSeats idleSeats;
    private volatile boolean declaredIdle;

    Claimer(FutureStore store, Seat seat) {
        this.store = store;
        this.seat = seat;
        this.queue = new WorkQueue(store.keys(), store.environment().random());
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /** Claims up to {@code count} futures; none if nothing waits. Fails where the seat may not take work. */
    CompletableFuture<List<Claimed>> claim(int count) {
        int limit = Math.min(count, BATCH_MAX);
        long nonce = store.environment().random().nextLong();
        Set<FutureId> tried = new LinkedHashSet<>();
        return store.run(futures -> seat.fenceForWork(futures.transaction())
                .thenCompose(unused -> claimedBefore(futures, tried, nonce))
                .thenCompose(before -> before.isEmpty()
                        ? claimNew(futures, limit, nonce, tried)
                        : CompletableFuture.completedFuture(before)));
    }

    /**
     * Declares this worker idle, unless something waits after all.
     *
     * @return whether it is idle now and will be woken
     */
    CompletableFuture<Boolean> becomeIdle() {
        return store.runPlain(transaction -> seat.fenceForWork(transaction)
                        .thenCompose(unused -> queue.isEmpty(transaction))
                        .thenApply(empty -> {
                            if (empty) {
                                idleSeats.declareIdle(transaction, seat.name(), seat.incarnation());
                            }
                            return empty;
                        }))
                .thenApply(idle -> {
                    declaredIdle = idle;
                    return idle;
                });
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
            FutureTransaction futures, int limit, long nonce, Set<FutureId> tried) {
        Transaction transaction = futures.transaction();
        boolean wasIdle = declaredIdle;
        return queue.peek(transaction.snapshot(), limit).thenCompose(entries -> {
            if (wasIdle && !entries.isEmpty()) {
                idleSeats.declareBusy(transaction, seat.name());
            }
            Map<FutureId, QueueEntry> byId = new LinkedHashMap<>();
            entries.forEach(entry -> byId.merge(entry.id(), entry, Claimer::newer));
            entries.forEach(entry -> transaction.clear(entry.key()));
            return futures.loadAll(byId.keySet()).thenCompose(loaded -> {
                List<Claimed> claims = new ArrayList<>();
                for (LoadedFuture future : loaded) {
                    QueueEntry entry = byId.get(future.id());
                    if (entry != null && isValid(future, entry)) {
                        take(futures, future, nonce);
                        tried.add(future.id());
                        claims.add(new Claimed(future.id(), future.record().build()));
                    }
                }
                int more = entries.size() >= limit ? 1 : 0;
                return idleSeats.wake(futures, more).thenApply(unused -> claims);
            });
        });
    }

    private static QueueEntry newer(QueueEntry one, QueueEntry other) {
        return one.ticket() >= other.ticket() ? one : other;
    }

    private static boolean isValid(LoadedFuture future, QueueEntry entry) {
        return future.state() == State.STATE_QUEUED && future.record().getTicket() == entry.ticket();
    }

    private void take(FutureTransaction futures, LoadedFuture future, long nonce) {
        future.apply(Event.CLAIM);
        long epoch = future.record().getEpoch() + 1;
        future.change()
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
