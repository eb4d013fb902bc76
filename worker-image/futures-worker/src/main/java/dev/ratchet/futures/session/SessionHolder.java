/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.google.protobuf.ByteString;
import dev.ratchet.environment.GuardedCallbacks;
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
 */
public final class SessionHolder {

    private static final Logger LOG = LoggerFactory.getLogger(SessionHolder.class);

    private static final long LOOK_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 200;

    /** Tries to run the check of a session, each after twice as long as the one before: for 25 s. */
    private static final int CHECK_TRIES_MAX = 7;

    private final FutureStore store;
    private final Seat seat;
    private final SlotCapacity capacity;
    private final SessionFutures futures;
    private final StateCheckRunner checks;
    private final SessionRound round;
    private final AskedSlots asked = new AskedSlots();
    private final Map<UUID, SessionRecord> held = new LinkedHashMap<>();
    private SlotTokens tokens = SlotTokens.unknown();
    private final Map<UUID, Integer> running = new HashMap<>();
    private final Map<UUID, String> vetoes = new HashMap<>();
    /** The binding whose check has begun, by session; and those that have passed. */
    private final Map<UUID, Long> checking = new HashMap<>();

    private final Map<UUID, Long> passed = new HashMap<>();
    private final Set<UUID> leaving = new HashSet<>();
    private Map<String, Integer> waiting = Map.of();
    private volatile boolean started;
    private boolean looking;
    private boolean lookAgain;
    private boolean stale;
    private boolean draining;
    private boolean endsAll;
    /** While it drains: whether the next process of the seat binds sessions again. */
    private boolean comesBack;

    private volatile boolean ended;
    private CompletableFuture<Void> empty = CompletableFuture.completedFuture(null);

    public SessionHolder(
            FutureStore store,
            Members members,
            Seat seat,
            Clients clients,
            SlotCapacity capacity,
            SessionFutures futures,
            StateCheckRunner checks) {
        this.checks = checks;
        this.store = store;
        this.seat = seat;
        this.capacity = capacity;
        this.futures = futures;
        this.round = new SessionRound(store, members, seat, new NewSessions(store, clients));
    }

    /** Begins to grant slots; what former incarnations of the seat held was released before. */
    public void start() {
        synchronized (this) {
            started = true;
            stale = true; // Sessions may wait for this seat.
        }
        GuardedCallbacks.repeat(store.environment(), "looking at sessions", LOOK_MILLIS, () -> ended, this::pokeIfDue);
        poke();
    }

    /** Does nothing more. */
    public void end() {
        ended = true;
        asked.giveUp();
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
            begins = started && !ended && !looking;
            if (begins) {
                looking = true;
                lookAgain = false;
            }
        }
        if (begins) {
            look();
        } else if (!started || ended) {
            asked.giveUp();
        }
        return answers;
    }

    /** Has the store looked at: a session waits or ends, or slots have become free. */
    public void poke() {
        synchronized (this) {
            if (!started || ended) {
                return;
            }
            if (looking) {
                lookAgain = true;
                return;
            }
            looking = true;
            lookAgain = false;
        }
        look();
    }

    /** An idle worker leaves the store alone: whoever wants something of it wakes it. */
    private void pokeIfDue() {
        boolean due;
        synchronized (this) {
            long now = store.environment().wallClockMillis();
            due = stale
                    || !waiting.isEmpty()
                    || held.values().stream()
                            .anyMatch(session -> session.getState() != SessionState.SESSION_STATE_OPEN
                                    || SessionFailing.isExpired(session, now));
        }
        if (due) {
            poke();
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

    /** How many sessions wait that have enough slots here once others let them go, by resource, as last seen. */
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
    public synchronized boolean begin(ByteString session) {
        UUID id = SessionIds.of(session);
        if (!held.containsKey(id) || leaving.contains(id) || vetoes.containsKey(id) || ended) {
            return false;
        }
        running.merge(id, 1, Integer::sum);
        return true;
    }

    /** Says that code that has begun has ended. */
    public void finished(ByteString session) {
        UUID id = SessionIds.of(session);
        synchronized (this) {
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
        draining = true;
        comesBack = seatComesBack;
        if (isReady() && !looking) {
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
        return comesBack
                && (session.getState() == SessionState.SESSION_STATE_SUSPENDED
                        || (session.getState() == SessionState.SESSION_STATE_OPEN
                                && session.getReestablishMillis() > 0));
    }

    /** Ends whatever is open and would be lost, because a drain has lasted for too long. */
    public void endAll() {
        synchronized (this) {
            endsAll = true;
        }
        poke();
    }

    /** Grants again after {@link #close(boolean)}. */
    public void reopen() {
        synchronized (this) {
            draining = false;
            comesBack = false;
            endsAll = false;
        }
        poke();
    }

    private void look() {
        List<AskedSlots.Asked> taken = asked.take();
        SessionRound.Situation situation =
                situation(taken.stream().map(AskedSlots.Asked::request).toList());
        AtomicBoolean reread = new AtomicBoolean(isStale());
        GuardedCallbacks.begin(
                        () -> store.runPlain(transaction -> round.run(transaction, situation, reread.getAndSet(true))))
                .whenCompleteAsync(
                        (looked, failure) -> {
                            if (failure != null) {
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

    private synchronized boolean isStale() {
        return stale;
    }

    private synchronized SessionRound.Situation situation(List<SlotsRequest> requests) {
        Map<UUID, SessionFailing> failing = new LinkedHashMap<>();
        long now = store.environment().wallClockMillis();
        held.forEach((id, session) -> {
            if (vetoes.containsKey(id)) {
                failing.put(id, SessionFailing.stateLost(vetoes.getOrDefault(id, "")));
            } else if (endsAll && !isLeft(session)) {
                failing.put(id, SessionFailing.drained(session.getSeat()));
            } else if (SessionFailing.isExpired(session, now)) {
                failing.put(id, SessionFailing.expired(session));
            }
        });
        return new SessionRound.Situation(
                capacity.offer(),
                Map.copyOf(held),
                tokens,
                failing,
                Map.copyOf(passed),
                requests,
                seat.mayWork() && !draining,
                draining,
                this::leave);
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
            checking.keySet().retainAll(held.keySet());
            passed.keySet()
                    .removeIf(id -> !held.containsKey(id) || !held.get(id).getChecking());
            waiting = looked.waiting();
        }
        if (changed) {
            seat.holdsChanged();
        }
        looked.held().forEach(this::check);
        List<CompletableFuture<Void>> endings = new ArrayList<>();
        looked.ending().forEach((id, session) -> endings.add(GuardedCallbacks.begin(() -> futures.end(id, session))));
        if (!endings.isEmpty()) {
            CompletableFuture.allOf(endings.toArray(CompletableFuture[]::new)).whenComplete((unused, failure) -> {
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
        return (draining && now.isEmpty() && !before.isEmpty())
                || !exhausted(before.values()).equals(exhausted(now.values()));
    }

    private Set<String> exhausted(Collection<SessionRecord> sessions) {
        Map<String, Integer> counts = counts(sessions);
        return capacity.counts().entrySet().stream()
                .filter(one -> counts.getOrDefault(one.getKey(), 0) >= one.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Has the check of a session run that was bound again, once for each binding. */
    private void check(UUID id, SessionRecord session) {
        synchronized (this) {
            // One that still waits for the seat is not bound to this incarnation yet.
            if (!session.getChecking()
                    || session.getState() == SessionState.SESSION_STATE_FAILED
                    || session.getState() == SessionState.SESSION_STATE_SUSPENDED
                    || checking.getOrDefault(id, 0L) == session.getToken()
                    || !begin(SessionIds.bytes(id))) {
                return;
            }
            checking.put(id, session.getToken());
        }
        check(id, session, 1);
    }

    private void check(UUID id, SessionRecord session, int tries) {
        GuardedCallbacks.begin(() -> checks.run(id, session)).whenComplete((veto, failure) -> {
            synchronized (this) {
                if (failure != null && tries < CHECK_TRIES_MAX) {
                    LOG.warn("the check of a session can not be run, trying again session={}", id, failure);
                    store.environment().schedule(RETRY_MILLIS << tries, () -> checkAgain(id, session, tries + 1));
                } else if (failure != null) {
                    vetoes.putIfAbsent(
                            id,
                            "the check of what is left after the restart could not be run in " + tries + " tries: "
                                    + failure);
                } else if (veto.isPresent()) {
                    vetoes.putIfAbsent(id, veto.get());
                } else {
                    passed.put(id, session.getToken());
                }
            }
            finished(SessionIds.bytes(id));
        });
    }

    /** Unless the session is over or bound anew; where none of its code may begin just now the next round begins it. */
    private void checkAgain(UUID id, SessionRecord session, int tries) {
        synchronized (this) {
            if (checking.getOrDefault(id, 0L) != session.getToken()) {
                return;
            }
            if (!begin(SessionIds.bytes(id))) {
                checking.remove(id);
                return;
            }
        }
        check(id, session, tries);
    }

    private void failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        synchronized (this) {
            stale = true;
        }
        if (cause instanceof SeatLostException) {
            end();
            return;
        }
        if (!(cause instanceof NotWorkingException)) {
            LOG.warn("sessions can not be looked at, trying again seat={}", seat.name(), cause);
        }
        var unused = store.environment().schedule(RETRY_MILLIS, () -> over(true));
    }

    private void over(boolean again) {
        @Nullable CompletableFuture<Void> nowEmpty = null;
        boolean next;
        synchronized (this) {
            looking = false;
            next = again || lookAgain || !asked.isEmpty();
            if (isReady() && !next) {
                nowEmpty = empty;
            }
        }
        if (nowEmpty != null) {
            nowEmpty.complete(null);
        }
        if (next) {
            poke();
        }
    }
}
