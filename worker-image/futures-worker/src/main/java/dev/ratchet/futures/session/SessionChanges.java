/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of a round that changes sessions which have slots here: those that waited for the seat are bound again,
 * those whose check has passed go on, and those whose time is over fail. A round changes some of each kind, so that its
 * transaction stays small however many there are. Immutable.
 */
final class SessionChanges {

    /** Roughly what one round writes of each kind, but for the last session. */
    private static final int BYTES_MAX = 400_000;

    /** What is written for a session beside its record, and for each of its slots. */
    private static final int SESSION_BYTES = 1_000;

    private static final int SLOT_BYTES = 500;

    private static final CompletableFuture<Boolean> NO_MORE = CompletableFuture.completedFuture(false);

    private final FutureStore store;
    private final SessionKeys keys;
    private final Members members;
    private final Seat seat;
    private final HeldSessions sessions;

    SessionChanges(FutureStore store, Members members, Seat seat) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.members = members;
        this.seat = seat;
        this.sessions = new HeldSessions(store);
    }

    /**
     * Changes what is to be changed.
     *
     * @param held what has slots here, where each that is changed is put as it is then
     * @return whether there is more to change at once
     */
    CompletableFuture<Boolean> make(
            Transaction transaction, SessionRound.Situation situation, Map<UUID, SessionRecord> held) {
        return resume(transaction, situation, held)
                .thenCompose(more -> goOn(transaction, situation.passed(), held).thenApply(also -> more || also))
                .thenCompose(
                        more -> fail(transaction, situation.failing(), held).thenApply(also -> more || also));
    }

    /**
     * The first that are to be changed, as they are in the store now; those that are gone, or have lost their slots,
     * are held no more.
     */
    private CompletableFuture<Boolean> each(
            Transaction transaction,
            Map<UUID, SessionRecord> held,
            BiPredicate<UUID, SessionRecord> isDue,
            Change change) {
        List<UUID> some = new ArrayList<>();
        long bytes = 0;
        boolean hasMore = false;
        for (Map.Entry<UUID, SessionRecord> one : held.entrySet()) {
            if (isDue.test(one.getKey(), one.getValue())) {
                hasMore = bytes >= BYTES_MAX;
                if (hasMore) {
                    break;
                }
                bytes += bytes(one.getValue());
                some.add(one.getKey());
            }
        }
        if (some.isEmpty()) {
            return NO_MORE;
        }
        boolean isFull = hasMore;
        return sessions.records(transaction, some)
                .thenCompose(found -> SessionReleases.inTurn(some, id -> {
                    SessionRecord now = found.get(id);
                    if (now == null || now.getSlotsCount() == 0) {
                        held.remove(id);
                        return SessionRound.DONE;
                    }
                    held.put(id, now);
                    return isDue.test(id, now) ? change.make(id, now) : SessionRound.DONE;
                }))
                .thenApply(unused -> isFull);
    }

    private static long bytes(SessionRecord session) {
        return SESSION_BYTES + session.getSerializedSize() + (long) SLOT_BYTES * session.getSlotsCount();
    }

    /** Makes one, and puts it where it is held as it is then. */
    private interface Change {
        CompletableFuture<Void> make(UUID id, SessionRecord now);
    }

    private CompletableFuture<Boolean> fail(
            Transaction transaction, Map<UUID, SessionFailing> failing, Map<UUID, SessionRecord> held) {
        if (failing.isEmpty()) {
            return NO_MORE;
        }
        long nowMillis = store.environment().wallClockMillis();
        return each(
                transaction,
                held,
                (id, session) -> failing.containsKey(id) && isHere(session) && mayFail(session, failing.get(id)),
                (id, session) -> {
                    SessionRecord failed =
                            Objects.requireNonNull(failing.get(id)).of(session, nowMillis);
                    keys.setOver(transaction, id, failed);
                    keys.setEnding(transaction, id, failed);
                    held.put(id, failed);
                    return SessionRound.DONE;
                });
    }

    private static boolean mayFail(SessionRecord session, @Nullable SessionFailing failing) {
        return failing != null
                && (session.getState() == SessionState.SESSION_STATE_OPEN
                        || (session.getState() == SessionState.SESSION_STATE_CLOSING && !failing.spares(session)));
    }

    /** Lets the futures of sessions run whose check has passed. */
    private CompletableFuture<Boolean> goOn(
            Transaction transaction, Map<UUID, Long> passed, Map<UUID, SessionRecord> held) {
        if (passed.isEmpty()) {
            return NO_MORE;
        }
        return each(
                transaction,
                held,
                (id, session) -> session.getChecking()
                        && passed.containsKey(id)
                        && passed.getOrDefault(id, 0L) == session.getToken()
                        && isHere(session),
                (id, session) -> {
                    SessionRecord checked = session.toBuilder().clearChecking().build();
                    keys.set(transaction, id, checked);
                    keys.wake(transaction, seat.name());
                    held.put(id, checked);
                    return SessionRound.DONE;
                });
    }

    private boolean isHere(SessionRecord session) {
        return session.getSeat().equals(seat.name()) && session.getIncarnation() == seat.incarnation();
    }

    /** Sessions that waited for this seat go on, with higher tokens; or fail, if it was too long. */
    private CompletableFuture<Boolean> resume(
            Transaction transaction, SessionRound.Situation situation, Map<UUID, SessionRecord> held) {
        if (held.values().stream().noneMatch(SessionChanges::isSuspended)) {
            return NO_MORE;
        }
        return members.one(transaction.snapshot(), seat.name())
                .thenCompose(member -> resume(
                        transaction,
                        new Here(
                                member.map(Member::host).orElse(""),
                                member.map(WorkerTraits::of).orElse(WorkerTraits.NONE)),
                        situation,
                        held));
    }

    /** Where this worker is, and what it has. */
    private record Here(String host, WorkerTraits traits) {}

    private static boolean isSuspended(SessionRecord session) {
        return session.getState() == SessionState.SESSION_STATE_SUSPENDED;
    }

    private CompletableFuture<Boolean> resume(
            Transaction transaction, Here here, SessionRound.Situation situation, Map<UUID, SessionRecord> held) {
        long now = store.environment().wallClockMillis();
        return each(
                transaction,
                held,
                (id, session) -> isSuspended(session)
                        && (situation.takes() || failing(id, session, here, situation, now) != null),
                (id, session) -> {
                    SessionFailing failing = failing(id, session, here, situation, now);
                    if (failing == null) {
                        return bindAgain(transaction, id, session, situation, held);
                    }
                    SessionRecord failed = failing.of(session, now).toBuilder()
                            .setIncarnation(seat.incarnation())
                            .build();
                    keys.setOver(transaction, id, failed);
                    keys.setEnding(transaction, id, failed);
                    held.put(id, failed);
                    return SessionRound.DONE;
                });
    }

    private static @Nullable SessionFailing failing(
            UUID id, SessionRecord suspended, Here here, SessionRound.Situation situation, long now) {
        if (suspended.getSuspendedUntilWallMillis() <= now) {
            return SessionFailing.notRebound(suspended, now);
        }
        // Slots of a host stay there.
        boolean elsewhere = suspended.getSlotsList().stream()
                .anyMatch(slot -> !slot.getHost().isEmpty() && !slot.getHost().equals(here.host()));
        if (elsewhere) {
            return SessionFailing.elsewhere(suspended, here.host());
        }
        return here.traits().meet(suspended.getDemand())
                ? situation.failing().get(id)
                : SessionFailing.otherTraits(suspended, here.traits());
    }

    private CompletableFuture<Void> bindAgain(
            Transaction transaction,
            UUID id,
            SessionRecord session,
            SessionRound.Situation situation,
            Map<UUID, SessionRecord> held) {
        SessionRecord.Builder open = session.toBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setIncarnation(seat.incarnation())
                .setToken(session.getToken() + 1)
                .setChecking(session.hasCheck())
                .clearSuspendedUntilWallMillis()
                .clearSlots();
        return SessionReleases.inTurn(
                        session.getSlotsList(), slot -> keys.grant(transaction, SessionIds.bytes(id), seat.name(), slot)
                                .thenAccept(open::addSlots))
                .thenAccept(unused -> {
                    SessionRecord record = open.build();
                    record.getSlotsList().forEach(situation.tokens()::granted);
                    keys.set(transaction, id, record);
                    // Its futures wait on this seat.
                    keys.wake(transaction, seat.name());
                    held.put(id, record);
                });
    }
}
