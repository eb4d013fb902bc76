/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.environment.StateMachine;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.NotWorkingException;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one worker: grants its slots to those that wait, one round after the other, and takes them back.
 *
 * <p>A slot is free again only once no code of its session runs here: a round marks the session as leaving before it
 * looks whether any does, and code of a session that is leaving, or not here, does not begin.
 *
 * <p>Its state has three parts that do not follow from each other: rounds go on while the worker drains and when that
 * is called off, and whatever a round has not carried through makes stale what is known, also where no round follows.
 */
public final class SessionHolder {

    private static final Logger LOG = LoggerFactory.getLogger(SessionHolder.class);

    private static final long LOOK_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 200;

    /**
     * After a pass through the queue that took several rounds, none begins for as many seconds unless somebody wants
     * it, but at most for this many: sessions that nobody can serve would keep all workers busy.
     */
    private static final long PASS_ROUNDS_MAX = 30;

    private final FutureStore store;
    private final Seat seat;
    private final SlotCapacity capacity;
    private final SessionFutures futures;
    private final SessionRound round;
    private final HeldSessions sessions;
    private final OwnerAttempts owners;
    private final BindingChecks checks;
    private final AskedSlots asked = new AskedSlots();
    private final Map<UUID, SessionRecord> held = new LinkedHashMap<>();
    private SlotTokens tokens = SlotTokens.unknown();
    private final Map<UUID, Integer> running = new HashMap<>();
    private final Map<UUID, String> vetoes = new HashMap<>();
    /** Sessions whose owners are over. */
    private final Set<UUID> ownerless = new HashSet<>();

    private final Set<UUID> leaving = new HashSet<>();
    private Map<String, Integer> waiting = Map.of();
    private final StateMachine<RoundPhase, RoundPhase.Event> rounds = RoundPhase.TABLE.startingIn(RoundPhase.NEW);
    private final StateMachine<HolderDrain, HolderDrain.Event> drain =
            HolderDrain.TABLE.startingIn(HolderDrain.GRANTING);
    /** Whether somebody has wanted a look since a round began with the first session that ends. */
    private boolean endingWanted;
    /** Whether somebody has wanted a look since a round began with the first session that waits. */
    private boolean passWanted;

    private Optional<byte[]> endingFrom = Optional.empty();
    private Optional<SessionGrants.Pass> pass = Optional.empty();
    /** Rounds of the pass that is under way. */
    private long passRounds;

    /** When the next pass begins without being wanted, and the slots that there were in the last one. */
    private long passDueNanos;

    private SlotCapacity.@Nullable Offer passOffer;
    /** What is held is to be read anew by the next round. */
    private boolean stale;

    private CompletableFuture<Void> empty = CompletableFuture.completedFuture(null);

    public SessionHolder(
            FutureStore store,
            Members members,
            Seat seat,
            Clients clients,
            SlotCapacity capacity,
            SessionFutures futures,
            StateCheckRunner checks) {
        this.store = store;
        this.seat = seat;
        this.capacity = capacity;
        this.futures = futures;
        this.owners = new OwnerAttempts(store);
        this.sessions = new HeldSessions(store);
        this.round = new SessionRound(store, members, seat, new NewSessions(store, clients));
        this.checks = new BindingChecks(store.environment(), checks, new CheckedSessions());
    }

    private final class CheckedSessions implements BindingChecks.Sessions {

        @Override
        public boolean begin(UUID id) {
            return SessionHolder.this.begin(id);
        }

        @Override
        public void finished(UUID id) {
            SessionHolder.this.finished(id);
        }

        @Override
        public void veto(UUID id, String message) {
            synchronized (SessionHolder.this) {
                vetoes.putIfAbsent(id, message);
            }
        }
    }

    /** Begins to grant slots; what former incarnations of the seat held was released before. */
    public void start() {
        synchronized (this) {
            rounds.on(RoundPhase.Event.START);
            stale = true; // Sessions may wait for this seat.
        }
        GuardedCallbacks.repeat(store.environment(), "looking at sessions", LOOK_MILLIS, () -> !looks(), () -> {
            pokeIfDue();
            lookAtOwners();
        });
        poke();
    }

    /** Does nothing more. */
    public void end() {
        synchronized (this) {
            rounds.on(RoundPhase.Event.END);
        }
        asked.giveUp();
    }

    private boolean looks() {
        return rounds.state().looks();
    }

    /**
     * Has sessions opened and closed by the next round, in which case nobody else has to be told. One for which the
     * slots do not suffice waits in the queue then, as whatever else is asked for.
     *
     * @return each session as that round has left it; empty where the store has to tell what has become of it. Never
     *     fails
     */
    List<CompletableFuture<SlotsAnswer>> ask(List<SlotsRequest> requests) {
        List<CompletableFuture<SlotsAnswer>> answers = asked.add(requests);
        boolean begins;
        synchronized (this) {
            // A round that is under way is followed by another one if anything has come meanwhile.
            begins = rounds.on(RoundPhase.Event.BEGIN);
        }
        if (begins) {
            look();
        } else if (!looks()) {
            asked.giveUp();
        }
        return answers;
    }

    /** Has the store looked at: a session waits or ends, or slots have become free. */
    public void poke() {
        synchronized (this) {
            endingWanted = true;
            passWanted = true;
        }
        lookNow();
    }

    private void lookNow() {
        synchronized (this) {
            if (!rounds.on(RoundPhase.Event.BEGIN)) {
                return;
            }
        }
        look();
    }

    /** An idle worker leaves the store alone: whoever wants something of it wakes it. */
    private void pokeIfDue() {
        boolean due;
        synchronized (this) {
            long now = store.environment().wallClockMillis();
            due = stale
                    || isPassDue()
                    || held.values().stream()
                            .anyMatch(session -> session.getState() != SessionState.SESSION_STATE_OPEN
                                    || SessionFailing.isExpired(session, now));
        }
        if (due) {
            poke();
        }
    }

    /** Somebody waits, and a worker that was told may have died, or slots of the host have become free. */
    private boolean isPassDue() {
        return !waiting.isEmpty()
                && (store.environment().nanoTime() - passDueNanos >= 0
                        || !capacity.offer().equals(passOffer));
    }

    private void lookAtOwners() {
        Map<UUID, SessionRecord> owned = new LinkedHashMap<>();
        synchronized (this) {
            held.forEach((id, session) -> {
                if (OwnerAttempts.isOwned(session)) {
                    owned.put(id, session);
                }
            });
        }
        if (!owned.isEmpty()) {
            owners.over(owned).whenComplete((over, failure) -> {
                if (failure != null) {
                    LOG.warn("owners of sessions can not be read, trying again seat={}", seat.name(), failure);
                } else if (!over.isEmpty()) {
                    synchronized (this) {
                        ownerless.addAll(over);
                    }
                    store.environment().executor().execute(this::poke);
                }
            });
        }
    }

    /** How many sessions have slots here. */
    public synchronized int size() {
        return held.size();
    }

    /** For the heartbeat: what there is of each resource, and what is free. */
    public Map<String, Long> published() {
        return SlotCapacity.published(capacity.counts(), heldSlots(), waiting());
    }

    /** How many sessions wait for a slot, by resource, as last seen, be it that no worker has one. */
    public synchronized Map<String, Integer> waiting() {
        return waiting;
    }

    /** How many slots there are, by resource. */
    public Map<String, Integer> capacity() {
        return capacity.counts();
    }

    /** Slots that are held, by resource. */
    public synchronized Map<String, Integer> heldSlots() {
        return counts(held.values());
    }

    private static Map<String, Integer> counts(Collection<SessionRecord> sessions) {
        Map<String, Integer> counts = new HashMap<>();
        for (SessionRecord session : sessions) {
            session.getSlotsList().forEach(slot -> counts.merge(slot.getResource(), 1, Integer::sum));
        }
        return counts;
    }

    /**
     * Says that code of a session begins to run here.
     *
     * @return false if it must not, because the session is over or elsewhere
     */
    public boolean begin(ByteString session) {
        return begin(SessionIds.of(session));
    }

    private synchronized boolean begin(UUID id) {
        if (!held.containsKey(id) || leaving.contains(id) || vetoes.containsKey(id) || !looks()) {
            return false;
        }
        running.merge(id, 1, Integer::sum);
        return true;
    }

    /** Says that code that has begun has ended. */
    public void finished(ByteString session) {
        finished(SessionIds.of(session));
    }

    private void finished(UUID id) {
        synchronized (this) {
            assert running.containsKey(id) : "code of session " + id + " ends that never began";
            running.computeIfPresent(id, (unused, count) -> count == 1 ? null : count - 1);
        }
        store.environment().executor().execute(this::poke);
    }

    /** A task has said that what its session had here is gone: the session fails, and none of its code begins. */
    public void stateLost(ByteString session, String message) {
        synchronized (this) {
            vetoes.putIfAbsent(SessionIds.of(session), message);
        }
        store.environment().executor().execute(this::poke);
    }

    /**
     * Grants nothing more; completes when nothing is held that would be lost.
     *
     * @param seatComesBack whether another process of the seat follows this one, which binds sessions again
     */
    public synchronized CompletableFuture<Void> close(boolean seatComesBack) {
        drain.on(seatComesBack ? HolderDrain.Event.PARK : HolderDrain.Event.DRAIN);
        if (isReady() && !rounds.state().isInFlight()) {
            return CompletableFuture.completedFuture(null);
        }
        if (empty.isDone()) {
            empty = new CompletableFuture<>();
        }
        return empty;
    }

    /** Whether no session has slots here but those that the next process of the seat binds again, where one follows. */
    public synchronized boolean isReady() {
        return held.values().stream().allMatch(this::isLeft);
    }

    private boolean isLeft(SessionRecord session) {
        return drain.state().comesBack()
                && (session.getState() == SessionState.SESSION_STATE_SUSPENDED
                        || (session.getState() == SessionState.SESSION_STATE_OPEN
                                && session.getReestablishMillis() > 0));
    }

    /** Ends whatever is open and would be lost, because a drain has lasted for too long. */
    public void endAll() {
        synchronized (this) {
            drain.on(HolderDrain.Event.EXPIRE);
        }
        poke();
    }

    /** Grants again after {@link #close(boolean)}. */
    public void reopen() {
        synchronized (this) {
            drain.on(HolderDrain.Event.REOPEN);
        }
        poke();
    }

    private void look() {
        look(asked.take());
    }

    private void look(List<AskedSlots.Asked> taken) {
        AtomicBoolean tried = new AtomicBoolean();
        GuardedCallbacks.begin(this::knownNow)
                .thenCompose(unused -> {
                    SessionRound.Situation situation = situation(
                            taken.stream().map(AskedSlots.Asked::request).toList());
                    return store.runPlain(transaction -> tried.getAndSet(true)
                            ? CompletableFuture.failedFuture(new TriedException())
                            : round.run(transaction, situation));
                })
                .whenCompleteAsync(
                        (looked, failure) -> {
                            if (failure != null && cause(failure) instanceof TriedException) {
                                beStale();
                                look(taken);
                            } else if (failure != null) {
                                AskedSlots.answer(taken, Map.of());
                                failed(failure);
                            } else {
                                GuardedCallbacks.run("ending sessions", () -> took(looked));
                                AskedSlots.answer(taken, looked.answers());
                                over(looked.isFull());
                            }
                        },
                        store.environment().executor());
    }

    /** A try of a round may have been committed, so that nothing is known but what is read. */
    private static final class TriedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Reads which sessions have slots here, unless that is known. */
    private CompletableFuture<?> knownNow() {
        synchronized (this) {
            if (!stale) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return sessions.read(seat.name()).thenAccept(found -> {
            synchronized (this) {
                held.clear();
                held.putAll(found);
                tokens = SlotTokens.unknown();
                pass = Optional.empty();
            }
        });
    }

    private synchronized void beStale() {
        stale = true;
    }

    private synchronized SessionRound.Situation situation(List<SlotsRequest> requests) {
        // While the rounds of a pass go on, what ends is looked at once more only where somebody wants that.
        boolean allEndingSeen = endingFrom.isEmpty() && pass.isPresent() && !endingWanted;
        endingWanted &= endingFrom.isPresent();
        passWanted &= pass.isPresent();
        Map<UUID, SessionFailing> failing = new LinkedHashMap<>();
        long now = store.environment().wallClockMillis();
        held.forEach((id, session) -> {
            if (vetoes.containsKey(id)) {
                failing.put(id, SessionFailing.stateLost(vetoes.getOrDefault(id, "")));
            } else if (drain.state().endsWhatIsLost() && !isLeft(session)) {
                failing.put(id, SessionFailing.drained(session.getSeat()));
            } else if (SessionFailing.isExpired(session, now)) {
                failing.put(id, SessionFailing.expired(session));
            } else if (ownerless.contains(id) && OwnerAttempts.isOwned(session)) {
                failing.put(id, SessionFailing.attemptOver(Ids.of(session.getOwnerFuture())));
            }
        });
        passOffer = capacity.offer();
        return new SessionRound.Situation(
                passOffer,
                new LinkedHashMap<>(held),
                tokens,
                failing,
                checks.passed(),
                requests,
                seat.mayWork() && drain.state().grants(),
                !drain.state().grants(),
                this::leave,
                endingFrom,
                allEndingSeen,
                pass);
    }

    /** Marks a session as leaving; false while its code runs here. */
    private synchronized boolean leave(UUID id) {
        if (running.containsKey(id)) {
            return false;
        }
        leaving.add(id);
        return true;
    }

    private void took(SessionRound.Looked looked) {
        boolean changed;
        synchronized (this) {
            stale = false;
            leaving.clear();
            changed = othersWaitFor(held, looked.held());
            held.clear();
            held.putAll(looked.held());
            tokens = looked.tokens();
            vetoes.keySet().retainAll(held.keySet());
            ownerless.retainAll(held.keySet());
            checks.retain(held);
            endingFrom = looked.endingNext();
            pass = looked.pass();
            passRounds++;
            if (pass.isEmpty()) {
                waiting = looked.waiting();
                long pauseMillis = passRounds == 1 ? 0 : Math.min(passRounds, PASS_ROUNDS_MAX) * LOOK_MILLIS;
                passDueNanos = store.environment().nanoTime() + pauseMillis * 1_000_000;
                passRounds = 0;
            }
        }
        if (changed) {
            seat.holdsChanged();
        }
        looked.held().forEach(checks::check);
        List<CompletableFuture<Void>> endings = new ArrayList<>();
        looked.ending().forEach((id, session) -> endings.add(GuardedCallbacks.begin(() -> futures.end(id, session))));
        if (!endings.isEmpty()) {
            AsyncUtil.whenAll(endings).whenComplete((unused, failure) -> {
                if (failure != null) {
                    synchronized (this) {
                        stale = true;
                    }
                    LOG.warn("futures of a session are not ended, trying again seat={}", seat.name(), failure);
                } else {
                    poke();
                }
            });
        }
    }

    /** Others learn at once that nothing is held any more, and which resources have run out or are there again. */
    private boolean othersWaitFor(Map<UUID, SessionRecord> before, Map<UUID, SessionRecord> now) {
        return (!drain.state().grants() && now.isEmpty() && !before.isEmpty())
                || !exhausted(before.values()).equals(exhausted(now.values()));
    }

    private Set<String> exhausted(Collection<SessionRecord> sessions) {
        Map<String, Integer> counts = counts(sessions);
        return capacity.counts().entrySet().stream()
                .filter(one -> counts.getOrDefault(one.getKey(), 0) >= one.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void failed(Throwable failure) {
        Throwable cause = cause(failure);
        beStale();
        if (cause instanceof SeatLostException) {
            end();
            return;
        }
        if (!(cause instanceof NotWorkingException)) {
            LOG.warn("sessions can not be looked at, trying again seat={}", seat.name(), cause);
        }
        var unused = store.environment().schedule(RETRY_MILLIS, () -> over(true));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void over(boolean again) {
        @Nullable CompletableFuture<Void> nowEmpty = null;
        boolean next;
        synchronized (this) {
            rounds.must(RoundPhase.Event.OVER);
            next = looks() && (again || endingWanted || passWanted || !asked.isEmpty());
            if (isReady() && !next) {
                nowEmpty = empty;
            }
        }
        if (nowEmpty != null) {
            nowEmpty.complete(null);
        }
        if (next) {
            lookNow();
        }
    }
}
