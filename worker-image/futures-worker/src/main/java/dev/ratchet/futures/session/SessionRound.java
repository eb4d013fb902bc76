/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * One transaction in the name of a seat: sessions whose time is over fail, those that have ended and those that are
 * asked to end lose their slots, and what is free then goes to those that wait and to those that are asked for. A
 * session gets all of its slots or none. Every slot that is granted was free in the store, and gets a higher token.
 */
final class SessionRound {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final FutureStore store;
    private final SessionKeys keys;
    private final Members members;
    private final Seat seat;
    private final NewSessions newSessions;
    private final SessionReleases releases;
    private final SessionGrants grants;

    /**
     * What is known before the round.
     *
     * @param offer slots that there are
     * @param held the sessions that have slots here, as last read
     * @param tokens those of the worker's own slots, as far as it knows them
     * @param failing those whose time is over
     * @param passed those whose check has said that they may go on, with the token of the binding that it looked at
     * @param asked what is asked of the worker, at most one of each session
     * @param takes whether slots may be granted
     * @param draining whether the worker leaves
     * @param leave whether no code of a session runs, and none begins from now on
     */
    record Situation(
            SlotCapacity.Offer offer,
            Map<UUID, SessionRecord> held,
            SlotTokens tokens,
            Map<UUID, SessionFailing> failing,
            Map<UUID, Long> passed,
            List<SlotsRequest> asked,
            boolean takes,
            boolean draining,
            Predicate<UUID> leave) {

        /** As one try of the transaction notes in it what it grants. */
        private Situation ofTry(boolean reread) {
            return new Situation(
                    offer,
                    held,
                    reread ? SlotTokens.unknown() : tokens.copy(),
                    failing,
                    passed,
                    asked,
                    takes,
                    draining,
                    leave);
        }
    }

    /**
     * What is true after it.
     *
     * @param tokens as {@link Situation#tokens}, with what was granted
     * @param ending sessions whose futures are to be ended
     * @param waiting sessions that wait for each resource and that this worker could serve
     * @param answers to what was asked, by the session; none where the store has to tell
     * @param isFull whether there may be more to do at once
     */
    record Looked(
            Map<UUID, SessionRecord> held,
            SlotTokens tokens,
            Map<UUID, SessionRecord> ending,
            Map<String, Integer> waiting,
            Map<ByteString, SlotsAnswer> answers,
            boolean isFull) {}

    /** Collects {@link Looked#answers}. Safe for use by several threads. */
    static final class Answers {

        private final Map<ByteString, SlotsAnswer> all = new HashMap<>();

        synchronized void say(UUID id, SessionRecord session) {
            all.put(
                    SessionIds.bytes(id),
                    SlotsAnswer.newBuilder().setSession(session).build());
        }

        synchronized void refuse(UUID id, IllegalArgumentException why) {
            all.put(SessionIds.bytes(id), AskedSlots.refusal(why));
        }

        synchronized Map<ByteString, SlotsAnswer> all() {
            return Map.copyOf(all);
        }
    }

    SessionRound(FutureStore store, Members members, Seat seat, NewSessions newSessions) {
        this.members = members;
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.seat = seat;
        this.newSessions = newSessions;
        this.releases = new SessionReleases(store, seat);
        this.grants = new SessionGrants(store, members, seat, newSessions);
    }

    /** @param reread whether a former try may have been committed, so that nothing is known but what is read */
    CompletableFuture<Looked> run(Transaction transaction, Situation known, boolean reread) {
        Situation situation = known.ofTry(reread);
        Map<UUID, SessionRecord> held = new LinkedHashMap<>();
        CompletableFuture<Void> fenced = situation.takes() ? seat.fenceForWork(transaction) : seat.fence(transaction);
        CompletableFuture<Looked> looked = (reread
                        ? read(transaction)
                        : CompletableFuture.completedFuture(situation.held()))
                .thenAccept(held::putAll)
                .thenCompose(unused -> resume(transaction, situation, held))
                .thenCompose(unused -> goOn(transaction, situation.passed(), held))
                .thenCompose(unused -> fail(transaction, situation.failing(), held))
                .thenCompose(unused -> exchange(transaction, situation, held));
        return fenced.thenCombine(looked, (unused, done) -> done);
    }

    /** Takes slots back and gives them away. All that does not depend on one another is read at once. */
    private CompletableFuture<Looked> exchange(
            Transaction transaction, Situation situation, Map<UUID, SessionRecord> held) {
        Map<UUID, SessionRecord> ending = new LinkedHashMap<>();
        Map<String, Integer> waiting = new TreeMap<>();
        Answers answers = new Answers();
        CompletableFuture<List<NewSessions.Wanted>> wanted = wanted(transaction, situation.asked(), answers);
        CompletableFuture<SessionReleases.Found> found = releases.find(
                transaction,
                situation.asked().stream()
                        .filter(SlotsRequest::hasClose)
                        .map(SlotsRequest::getClose)
                        .toList());
        boolean grants = situation.takes()
                && situation.offer().counts().values().stream().anyMatch(count -> count > 0);
        CompletableFuture<Optional<SessionGrants.Queue>> queue = grants
                ? this.grants.queue(transaction, situation.offer()).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        return found.thenCompose(some -> releases.release(transaction, some, situation, held, ending, answers))
                .thenCompose(more -> wanted.thenCombine(
                                queue,
                                (asked, there) -> give(transaction, situation, asked, there, held, waiting, answers))
                        .thenCompose(given -> given)
                        .thenApply(full ->
                                new Looked(held, situation.tokens(), ending, waiting, answers.all(), more || full)));
    }

    private CompletableFuture<Boolean> give(
            Transaction transaction,
            Situation situation,
            List<NewSessions.Wanted> asked,
            Optional<SessionGrants.Queue> queue,
            Map<UUID, SessionRecord> held,
            Map<String, Integer> waiting,
            Answers answers) {
        if (queue.isEmpty()) {
            asked.forEach(one -> {
                grants.queue(transaction, one);
                answers.say(one.id(), one.record());
            });
            return CompletableFuture.completedFuture(false);
        }
        return grants.grant(transaction, situation, queue.get(), asked, held, waiting, answers);
    }

    /** Those of the sessions that are asked for that are to be opened or to wait; what becomes of others is said. */
    private CompletableFuture<List<NewSessions.Wanted>> wanted(
            Transaction transaction, List<SlotsRequest> asked, Answers answers) {
        NewSessions.Owners owners = newSessions.owners(transaction);
        return SessionGrants.together(asked.stream()
                        .filter(SlotsRequest::hasOpen)
                        .map(SlotsRequest::getOpen)
                        .map(request -> wanted(transaction, request, owners, answers))
                        .toList())
                .thenApply(all -> all.stream().flatMap(Optional::stream).toList());
    }

    private CompletableFuture<Optional<NewSessions.Wanted>> wanted(
            Transaction transaction, OpenSessionRequest request, NewSessions.Owners owners, Answers answers) {
        UUID id = SessionIds.of(request.getId());
        return GuardedCallbacks.begin(() -> newSessions.look(transaction, request, owners))
                .handle((wanted, failure) -> {
                    if (failure == null && !wanted.isKnown()) {
                        return Optional.of(wanted);
                    }
                    if (failure == null) {
                        answers.say(id, wanted.record());
                        return Optional.empty();
                    }
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (!(cause instanceof IllegalArgumentException refused)) {
                        throw new CompletionException(cause);
                    }
                    answers.refuse(id, refused);
                    return Optional.empty();
                });
    }

    /** All records are read at once: one after the other they would take as long as there are sessions. */
    private CompletableFuture<Map<UUID, SessionRecord>> read(Transaction transaction) {
        return transaction.getRange(keys.held.range(seat.name())).asList().thenCompose(pairs -> {
            List<UUID> ids = pairs.stream()
                    .map(pair -> keys.held.elements(pair.getKey()).getUUID(1))
                    .toList();
            return SessionGrants.together(
                            ids.stream().map(id -> keys.record(transaction, id)).toList())
                    .thenApply(records -> {
                        Map<UUID, SessionRecord> found = new LinkedHashMap<>();
                        for (int i = 0; i < ids.size(); i++) {
                            UUID id = ids.get(i);
                            records.get(i).ifPresent(record -> found.put(id, record));
                        }
                        return found;
                    });
        });
    }

    private CompletableFuture<Void> fail(
            Transaction transaction, Map<UUID, SessionFailing> failing, Map<UUID, SessionRecord> held) {
        return SessionReleases.inTurn(List.copyOf(failing.entrySet()), one -> keys.record(transaction, one.getKey())
                .thenAccept(found -> found.filter(session -> session.getState() == SessionState.SESSION_STATE_OPEN
                                || session.getState() == SessionState.SESSION_STATE_CLOSING)
                        .filter(session -> isHere(session))
                        .ifPresent(session -> {
                            SessionRecord failed = one.getValue()
                                    .of(session, store.environment().wallClockMillis());
                            keys.setOver(transaction, one.getKey(), failed);
                            keys.setEnding(transaction, one.getKey(), failed);
                            held.put(one.getKey(), failed);
                        })));
    }

    /** Lets the futures of sessions run whose check has passed. */
    private CompletableFuture<Void> goOn(
            Transaction transaction, Map<UUID, Long> passed, Map<UUID, SessionRecord> held) {
        return SessionReleases.inTurn(List.copyOf(passed.entrySet()), one -> keys.record(transaction, one.getKey())
                .thenAccept(found -> found.filter(session ->
                                session.getChecking() && session.getToken() == one.getValue() && isHere(session))
                        .ifPresent(session -> {
                            SessionRecord checked =
                                    session.toBuilder().clearChecking().build();
                            keys.set(transaction, one.getKey(), checked);
                            keys.wake(transaction, seat.name());
                            held.put(one.getKey(), checked);
                        })));
    }

    private boolean isHere(SessionRecord session) {
        return session.getSeat().equals(seat.name()) && session.getIncarnation() == seat.incarnation();
    }

    /** Sessions that waited for this seat go on, with higher tokens; or fail, if it was too long. */
    private CompletableFuture<Void> resume(
            Transaction transaction, Situation situation, Map<UUID, SessionRecord> held) {
        List<UUID> suspended = held.entrySet().stream()
                .filter(one -> one.getValue().getState() == SessionState.SESSION_STATE_SUSPENDED)
                .map(Map.Entry::getKey)
                .toList();
        if (suspended.isEmpty()) {
            return DONE;
        }
        return members.one(transaction.snapshot(), seat.name())
                .thenCompose(member ->
                        resume(transaction, suspended, member.map(Member::host).orElse(""), situation, held));
    }

    private CompletableFuture<Void> resume(
            Transaction transaction,
            List<UUID> suspended,
            String host,
            Situation situation,
            Map<UUID, SessionRecord> held) {
        return SessionReleases.inTurn(
                suspended, id -> keys.record(transaction, id).thenCompose(found -> {
                    Optional<SessionRecord> still =
                            found.filter(session -> session.getState() == SessionState.SESSION_STATE_SUSPENDED);
                    if (still.isEmpty()) {
                        held.remove(id);
                        return DONE;
                    }
                    long now = store.environment().wallClockMillis();
                    // Slots of a host stay there.
                    boolean elsewhere = still.get().getSlotsList().stream()
                            .anyMatch(slot ->
                                    !slot.getHost().isEmpty() && !slot.getHost().equals(host));
                    SessionFailing failing = situation.failing().get(id);
                    if (still.get().getSuspendedUntilWallMillis() <= now) {
                        failing = SessionFailing.notRebound(still.get(), now);
                    } else if (elsewhere) {
                        failing = SessionFailing.elsewhere(still.get(), host);
                    }
                    if (failing != null) {
                        SessionRecord failed = failing.of(still.get(), now).toBuilder()
                                .setIncarnation(seat.incarnation())
                                .build();
                        keys.setOver(transaction, id, failed);
                        keys.setEnding(transaction, id, failed);
                        held.put(id, failed);
                        return DONE;
                    }
                    return situation.takes() ? bindAgain(transaction, id, still.get(), situation, held) : DONE;
                }));
    }

    private CompletableFuture<Void> bindAgain(
            Transaction transaction,
            UUID id,
            SessionRecord session,
            Situation situation,
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
