/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import com.apple.foundationdb.ReadTransaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.QueueEntry;
import dev.ratchet.futures.queue.QueueReads;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.futures.settle.Claimed;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One try of a claim: reads what waits, takes what there is room for, and clears the entries that it has taken and
 * those that are void. An entry is void where the record does not name its ticket.
 */
final class ClaimTransaction {

    private final FutureStore store;
    private final Seat seat;
    private final WorkQueue queue;
    private final SessionFence fence;
    private final FutureTransaction futures;
    private final Claiming claiming;
    private final Room room;
    private final CompletableFuture<List<QueueEntry>> assigned;
    private final CompletableFuture<QueueReads> pooled;

    /** Begins to read, at the same time as the caller reads whether this worker may claim. */
    ClaimTransaction(
            FutureStore store,
            Seat seat,
            WorkQueue queue,
            SessionFence fence,
            FutureTransaction futures,
            Claiming claiming) {
        this.store = store;
        this.seat = seat;
        this.queue = queue;
        this.fence = fence;
        this.futures = futures;
        this.claiming = claiming;
        this.room = claiming.room();
        ReadTransaction snapshot = futures.transaction().snapshot();
        this.assigned = queue.assigned(snapshot, seat.name(), claiming.assignedMax());
        this.pooled = queue.look(snapshot);
    }

    /** After an unknown outcome: what the former try has claimed, if it was committed. */
    CompletableFuture<List<Claimed>> claimedBefore() {
        return futures.loadAll(claiming.tried()).thenApply(loaded -> loaded.stream()
                .filter(future -> future.state() == State.STATE_CLAIMED
                        && future.record().getClaim().getNonce() == claiming.nonce())
                .map(future -> new Claimed(future.id(), future.record().build()))
                .toList());
    }

    /** Claims what there is room for. */
    CompletableFuture<List<Claimed>> claim() {
        CompletableFuture<List<Claimed>> first = claiming.isPoolFirst() ? claimPooled() : claimAssigned();
        return first.thenCompose(
                some -> (claiming.isPoolFirst() ? claimAssigned() : claimPooled()).thenApply(others -> {
                    List<Claimed> all = new ArrayList<>(some);
                    all.addAll(others);
                    return all;
                }));
    }

    private CompletableFuture<List<Claimed>> claimAssigned() {
        return claimAssigned(this::takesRoom);
    }

    /** As {@link #claim}, of what is assigned to this seat only the futures of sessions. */
    CompletableFuture<List<Claimed>> claimOfSessions() {
        return claimAssigned(future -> SessionFence.isOfSession(future) && takesRoom(future));
    }

    private CompletableFuture<List<Claimed>> claimAssigned(Predicate<LoadedFuture> fits) {
        return assigned.thenCompose(entries -> {
            claiming.sawAssigned(entries.size());
            return claimEntries(entries, State.STATE_ASSIGNED, fits);
        });
    }

    private boolean takesRoom(LoadedFuture future) {
        return room.take(
                        future.record().getPartition().getRequirementClass(),
                        SchedulingSpecs.requirements(future.record()),
                        1)
                == 1;
    }

    /** The look has taken room for each of its entries. */
    private CompletableFuture<List<Claimed>> claimPooled() {
        return pooled.thenCompose(reads -> queue.peek(claiming.lookAt(reads, room)))
                .thenCompose(entries -> claimEntries(entries, State.STATE_QUEUED, future -> true));
    }

    private CompletableFuture<List<Claimed>> claimEntries(
            List<QueueEntry> entries, State expected, Predicate<LoadedFuture> fits) {
        Map<FutureId, QueueEntry> byId = new LinkedHashMap<>();
        entries.forEach(entry -> byId.merge(entry.id(), entry, ClaimTransaction::newer));
        return futures.loadAll(byId.keySet()).thenCompose(loaded -> fence.sessionsOf(futures.transaction(), loaded)
                .thenApply(sessions -> {
                    List<LoadedFuture> meant = loaded.stream()
                            .filter(future -> isMeant(byId.get(future.id()), future, expected))
                            .toList();
                    Set<FutureId> suspended = meant.stream()
                            .filter(future -> SessionFence.isSuspended(future, sessions))
                            .map(LoadedFuture::id)
                            .collect(Collectors.toCollection(LinkedHashSet::new));
                    List<LoadedFuture> waiting = meant.stream()
                            .filter(future -> !suspended.contains(future.id()) && isBound(future, sessions))
                            .toList();
                    return claimWaiting(waiting, entries, fits, suspended);
                }));
    }

    private static boolean isMeant(@Nullable QueueEntry entry, LoadedFuture future, State expected) {
        return entry != null && future.state() == expected && future.record().getTicket() == entry.ticket();
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

    private List<Claimed> claimWaiting(
            List<LoadedFuture> waiting,
            List<QueueEntry> entries,
            Predicate<LoadedFuture> fits,
            Set<FutureId> suspended) {
        List<Claimed> claims = new ArrayList<>();
        Set<FutureId> left = new LinkedHashSet<>(suspended);
        for (LoadedFuture future : waiting) {
            if (fits.test(future)) {
                take(future);
                claiming.tried().add(future.id());
                claims.add(new Claimed(future.id(), future.record().build()));
            } else {
                left.add(future.id());
            }
        }
        for (QueueEntry entry : entries) {
            if (!left.contains(entry.id())) {
                futures.dequeue(entry.key());
            }
        }
        return claims;
    }

    private static QueueEntry newer(QueueEntry one, QueueEntry other) {
        return one.ticket() >= other.ticket() ? one : other;
    }

    private void take(LoadedFuture future) {
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
                        .setNonce(claiming.nonce()));
    }
}
