/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final Seat seat;
    private final NewSessions newSessions;
    private final SessionChanges changes;
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
     * @param endingFrom where those begin among the sessions that end that the round looks at; empty for the first
     * @param allEndingSeen whether it looks at none of them but those that are asked to end
     * @param pass the pass through the queue that the round goes on with; empty if it begins one
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
            Predicate<UUID> leave,
            Optional<byte[]> endingFrom,
            boolean allEndingSeen,
            Optional<SessionGrants.Pass> pass) {

        /** As one try of the transaction notes in it what it grants. */
        private Situation ofTry() {
            return new Situation(
                    offer,
                    held,
                    tokens.copy(),
                    failing,
                    passed,
                    asked,
                    takes,
                    draining,
                    leave,
                    endingFrom,
                    allEndingSeen,
                    pass);
        }
    }

    /**
     * What is true after it.
     *
     * @param tokens as {@link Situation#tokens}, with what was granted
     * @param ending sessions whose futures are to be ended
     * @param waiting sessions that wait for each resource, be it that no worker has it; whole once the pass is over
     * @param answers to what was asked, by the session; none where the store has to tell
     * @param isFull whether there may be more to do at once
     * @param endingNext the {@link Situation#endingFrom} of the next round; empty where this one has looked at the last
     * @param pass the {@link Situation#pass} of the next round
     */
    record Looked(
            Map<UUID, SessionRecord> held,
            SlotTokens tokens,
            Map<UUID, SessionRecord> ending,
            Map<String, Integer> waiting,
            Map<ByteString, SlotsAnswer> answers,
            boolean isFull,
            Optional<byte[]> endingNext,
            Optional<SessionGrants.Pass> pass) {}

    /** Collects {@link Looked#answers}. Safe for use by several threads. */
    static final class Answers {

        /** Those of whose sessions the whole record is wanted. */
        private final Set<ByteString> whole = new HashSet<>();

        private final Map<ByteString, SlotsAnswer> all = new HashMap<>();

        Answers(List<SlotsRequest> asked) {
            for (SlotsRequest one : asked) {
                if (!one.getBrief()) {
                    whole.add(AskedSlots.id(one));
                }
            }
        }

        synchronized void say(UUID id, SessionRecord session) {
            ByteString key = SessionIds.bytes(id);
            all.put(
                    key,
                    SlotsAnswer.newBuilder()
                            .setSession(whole.contains(key) ? session : AskedSlots.brief(session))
                            .build());
        }

        synchronized void refuse(UUID id, IllegalArgumentException why) {
            all.put(SessionIds.bytes(id), AskedSlots.refusal(why));
        }

        synchronized Map<ByteString, SlotsAnswer> all() {
            return Map.copyOf(all);
        }
    }

    SessionRound(FutureStore store, Members members, Seat seat, NewSessions newSessions) {
        this.seat = seat;
        this.changes = new SessionChanges(store, members, seat);
        this.newSessions = newSessions;
        this.releases = new SessionReleases(store, seat);
        this.grants = new SessionGrants(store, members, seat, newSessions);
    }

    /** Once for a situation: what a try has done whose outcome is unknown is not in it. */
    CompletableFuture<Looked> run(Transaction transaction, Situation known) {
        Situation situation = known.ofTry();
        Map<UUID, SessionRecord> held = new LinkedHashMap<>(situation.held());
        CompletableFuture<Void> fenced = situation.takes() ? seat.fenceForWork(transaction) : seat.fence(transaction);
        CompletableFuture<Looked> looked = changes.make(transaction, situation, held)
                .thenCompose(more -> exchange(transaction, situation, held, more));
        return fenced.thenCombine(looked, (unused, done) -> done);
    }

    /** Takes slots back and gives them away. All that does not depend on one another is read at once. */
    private CompletableFuture<Looked> exchange(
            Transaction transaction, Situation situation, Map<UUID, SessionRecord> held, boolean isFull) {
        Map<UUID, SessionRecord> ending = new LinkedHashMap<>();
        Answers answers = new Answers(situation.asked());
        CompletableFuture<List<NewSessions.Wanted>> wanted = wanted(transaction, situation.asked(), answers);
        CompletableFuture<SessionReleases.Found> found = releases.find(
                transaction,
                situation,
                situation.asked().stream()
                        .filter(SlotsRequest::hasClose)
                        .map(SlotsRequest::getClose)
                        .toList());
        CompletableFuture<Optional<SessionGrants.Queue>> queue = situation.takes()
                ? grants.queue(transaction, situation).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        return found.thenCompose(some -> releases.release(transaction, some, situation, held, ending, answers)
                .thenCompose(unused -> wanted.thenCombine(
                        queue, (asked, there) -> give(transaction, situation, asked, there, held, answers)))
                .thenCompose(given -> given)
                .thenApply(done -> new Looked(
                        held,
                        situation.tokens(),
                        ending,
                        done.waiting(),
                        answers.all(),
                        isFull || done.isFull() || some.next().isPresent(),
                        some.next(),
                        done.next())));
    }

    private CompletableFuture<SessionGrants.Given> give(
            Transaction transaction,
            Situation situation,
            List<NewSessions.Wanted> asked,
            Optional<SessionGrants.Queue> queue,
            Map<UUID, SessionRecord> held,
            Answers answers) {
        if (queue.isEmpty()) {
            asked.forEach(one -> {
                grants.queue(transaction, one);
                answers.say(one.id(), one.record());
            });
            return CompletableFuture.completedFuture(new SessionGrants.Given(Map.of(), Optional.empty(), false));
        }
        return grants.grant(transaction, situation, queue.get(), asked, held, answers);
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
}
