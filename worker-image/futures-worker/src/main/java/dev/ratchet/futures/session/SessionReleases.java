/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The part of a round that takes slots back: of sessions that end, and of those that are asked to end in this round. A
 * slot is free once its session has no futures and none of its code runs; until then the session stays among those that
 * end. Immutable.
 */
final class SessionReleases {

    /** Sessions that one round ends. */
    private static final int ENDING_MAX = 200;

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final FutureStore store;
    private final SessionKeys keys;
    private final Seat seat;
    private final SessionHandOver handOver;
    private final SessionClosing closing;

    SessionReleases(FutureStore store, Seat seat) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.seat = seat;
        this.handOver = new SessionHandOver(keys);
        this.closing = new SessionClosing(keys, store.environment()::wallClockMillis);
    }

    /** A session that ends, as it is read. */
    private record Ending(UUID id, Optional<SessionRecord> session, boolean hasFutures) {}

    /** A session that is asked to end. */
    private record Closed(CloseSessionRequest request, Ending ending) {}

    /**
     * What a round has read of sessions that end.
     *
     * @param next where those begin among the ones that end that it has not read; empty where it has read the last
     */
    record Found(List<Ending> ending, List<Closed> closed, Optional<byte[]> next) {}

    /** Reads what {@link #release} needs, all at once. */
    CompletableFuture<Found> find(
            Transaction transaction, SessionRound.Situation situation, List<CloseSessionRequest> asked) {
        CompletableFuture<List<Closed>> closed = SessionGrants.together(asked.stream()
                .map(request -> ending(transaction, SessionIds.of(request.getId()))
                        .thenApply(ending -> new Closed(request, ending)))
                .toList());
        Range all = keys.ending.range(seat.name());
        byte[] from =
                situation.allEndingSeen() ? all.end : situation.endingFrom().orElse(all.begin);
        // Whoever adds one wakes this worker, and each that is here is read with conflict.
        return transaction
                .snapshot()
                .getRange(new Range(from, all.end), ENDING_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> SessionGrants.together(found.stream()
                                .map(pair -> ending(transaction, idOf(pair)))
                                .toList())
                        .thenCombine(closed, (ending, some) -> new Found(ending, some, next(found))));
    }

    private static Optional<byte[]> next(List<KeyValue> found) {
        return found.size() < ENDING_MAX
                ? Optional.empty()
                : Optional.of(ByteArrayUtil.keyAfter(found.getLast().getKey()));
    }

    private UUID idOf(KeyValue pair) {
        return keys.ending.elements(pair.getKey()).getUUID(1);
    }

    private CompletableFuture<Ending> ending(Transaction transaction, UUID id) {
        return keys.record(transaction, id)
                .thenCombine(
                        transaction.getRange(keys.futures.range(id), 1).asList(),
                        (session, futures) -> new Ending(id, session, !futures.isEmpty()));
    }

    /**
     * Ends what was found.
     *
     * @param held what has slots here, from which those go that lose theirs
     * @param ending where sessions are added whose futures are to be ended
     * @param answers what becomes of those that were asked to end
     */
    CompletableFuture<Void> release(
            Transaction transaction,
            Found found,
            SessionRound.Situation situation,
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionRecord> ending,
            SessionRound.Answers answers) {
        Set<UUID> asked = new HashSet<>();
        found.closed().forEach(one -> asked.add(one.ending().id()));
        return inTurn(found.closed(), one -> close(transaction, one, situation, held, ending, answers))
                .thenCompose(unused -> inTurn(
                        found.ending().stream()
                                .filter(one -> !asked.contains(one.id()))
                                .toList(),
                        one -> end(transaction, one, situation, held, ending)));
    }

    static <T> CompletableFuture<Void> inTurn(List<T> some, Function<T, CompletableFuture<Void>> each) {
        CompletableFuture<Void> done = DONE;
        for (T one : some) {
            done = done.thenCompose(unused -> each.apply(one));
        }
        return done;
    }

    private CompletableFuture<Void> close(
            Transaction transaction,
            Closed one,
            SessionRound.Situation situation,
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionRecord> ending,
            SessionRound.Answers answers) {
        UUID id = one.ending().id();
        if (one.ending().session().isEmpty()) {
            return DONE;
        }
        SessionRecord session = one.ending().session().get();
        boolean cancel = one.request().getCancel();
        try {
            SessionClosing.requireOwner(id, session, one.request().getOwnerSecret());
        } catch (IllegalArgumentException refused) {
            answers.refuse(id, refused);
            return DONE;
        }
        boolean endsHere = isHere(session)
                && (session.getState() == SessionState.SESSION_STATE_OPEN
                        || session.getState() == SessionState.SESSION_STATE_CLOSING);
        if (!endsHere) {
            return closing.close(transaction, id, session, cancel).thenAccept(left -> answers.say(id, left));
        }
        SessionRecord left = SessionClosing.closing(session, cancel);
        return end(transaction, id, left, one.ending().hasFutures(), situation, held, ending)
                .thenAccept(now -> {
                    if (!hasLeft(now, one.ending().hasFutures())) {
                        keys.markEnding(transaction, id, now);
                    } else if (session.getState() != SessionState.SESSION_STATE_OPEN) {
                        keys.ending.clear(transaction, seat.name(), id);
                    }
                    answers.say(id, now);
                });
    }

    private boolean isHere(SessionRecord session) {
        return session.getSeat().equals(seat.name()) && session.getIncarnation() == seat.incarnation();
    }

    /** Of a former incarnation, none of whose code runs any more. */
    private boolean isOfFormer(SessionRecord session) {
        return session.getSeat().equals(seat.name()) && session.getIncarnation() < seat.incarnation();
    }

    /** Whether nothing of it is here any more, so that it is not among those that end. */
    private static boolean hasLeft(SessionRecord session, boolean hasFutures) {
        return !hasFutures && session.getSlotsCount() == 0;
    }

    private CompletableFuture<Void> end(
            Transaction transaction,
            Ending one,
            SessionRound.Situation situation,
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionRecord> ending) {
        if (one.session().isEmpty()) {
            keys.ending.clear(transaction, seat.name(), one.id());
            return DONE;
        }
        return end(transaction, one.id(), one.session().get(), one.hasFutures(), situation, held, ending)
                .thenAccept(now -> {
                    if (hasLeft(now, one.hasFutures())) {
                        keys.ending.clear(transaction, seat.name(), one.id());
                    }
                });
    }

    /** @return what the session is then */
    private CompletableFuture<SessionRecord> end(
            Transaction transaction,
            UUID id,
            SessionRecord session,
            boolean hasFutures,
            SessionRound.Situation situation,
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionRecord> ending) {
        if (isOfFormer(session) && SessionIds.isOver(session.getState()) && session.getSlotsCount() > 0) {
            SessionRecord freed = keys.release(transaction, id, session);
            keys.set(transaction, id, freed);
            return end(transaction, id, freed, hasFutures, situation, held, ending);
        }
        boolean waits = session.getState() == SessionState.SESSION_STATE_CLOSING && !session.getCancel();
        if (session.getSlotsCount() == 0) {
            // Somebody else may have freed them: of one that was closed while it waited for this seat.
            held.remove(id);
        } else if (isHere(session)) {
            held.put(id, session);
        }
        if (hasFutures && !waits) {
            ending.put(id, session);
        } else if (!hasFutures
                && session.getSlotsCount() > 0
                && isHere(session)
                && situation.leave().test(id)) {
            return pass(transaction, id, session, situation, held);
        }
        return CompletableFuture.completedFuture(session);
    }

    /**
     * Frees the slots of a session none of whose code runs, or gives them to the session that takes it over.
     *
     * @return what the former is then
     */
    private CompletableFuture<SessionRecord> pass(
            Transaction transaction,
            UUID id,
            SessionRecord session,
            SessionRound.Situation situation,
            Map<UUID, SessionRecord> held) {
        long now = store.environment().wallClockMillis();
        return handOver.waiting(transaction, session).thenCompose(found -> {
            if (found.isPresent() && situation.takes()) {
                return handOver.finish(transaction, session, found.get(), now).thenApply(open -> {
                    open.getSlotsList().forEach(situation.tokens()::granted);
                    keys.held.clear(transaction, seat.name(), id);
                    held.remove(id);
                    held.put(SessionIds.of(session.getSuccessor()), open);
                    return closed(
                            transaction, id, session.toBuilder().clearSlots().build());
                });
            }
            if (found.isPresent() && !situation.draining()) {
                return CompletableFuture.completedFuture(session); // The worker may grant again, or is lost.
            }
            found.ifPresent(
                    waiting -> handOver.fail(transaction, session, waiting, SessionFailing.drained(seat.name()), now));
            held.remove(id);
            return CompletableFuture.completedFuture(closed(transaction, id, keys.release(transaction, id, session)));
        });
    }

    private SessionRecord closed(Transaction transaction, UUID id, SessionRecord freed) {
        if (freed.getState() != SessionState.SESSION_STATE_CLOSING) {
            keys.set(transaction, id, freed);
            return freed;
        }
        SessionRecord over = freed.toBuilder()
                .setState(SessionState.SESSION_STATE_CLOSED)
                .setEndedWallMillis(store.environment().wallClockMillis())
                .build();
        keys.setOver(transaction, id, over);
        return over;
    }
}
