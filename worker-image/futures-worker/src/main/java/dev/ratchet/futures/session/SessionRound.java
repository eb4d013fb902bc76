/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One transaction in the name of a seat: sessions that have ended lose their slots, those whose time is over fail, and
 * what is free then goes to those that wait, first come, first served among those that it suffices for. A session gets
 * all of its slots or none. Every slot that is granted was free in the store, and gets a higher token.
 */
final class SessionRound {

    /** Sessions that one round ends. */
    private static final int ENDING_MAX = 200;

    /** Sessions that one round looks at in the queue. */
    static final int WAITING_MAX = 1_000;

    /** Slots that one round grants, but for those of the last session. */
    private static final int GRANTED_MAX = 500;

    /** A creation timeout is the business of the worker that was asked; others help once it is late. */
    static final long LATE_MILLIS = 10_000;

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final FutureStore store;
    private final SessionKeys keys;
    private final Members members;
    private final Seat seat;
    private final SessionHandOver handOver;

    /**
     * What is known before the round.
     *
     * @param offer slots that there are
     * @param held the sessions that have slots here, as last read
     * @param failing those whose time is over
     * @param passed those whose check has said that they may go on, with the token of the binding that it looked at
     * @param takes whether slots may be granted
     * @param draining whether the worker leaves
     * @param leave whether no code of a session runs, and none begins from now on
     */
    record Situation(
            SlotCapacity.Offer offer,
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionFailing> failing,
            Map<UUID, Long> passed,
            boolean takes,
            boolean draining,
            Predicate<UUID> leave) {}

    /**
     * What is true after it.
     *
     * @param ending sessions whose futures are to be ended
     * @param waiting sessions that wait for each resource and that this worker could serve
     * @param isFull whether there may be more to do at once
     */
    record Looked(
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionRecord> ending,
            Map<String, Integer> waiting,
            boolean isFull) {}

    SessionRound(FutureStore store, Members members, Seat seat) {
        this.members = members;
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.seat = seat;
        this.handOver = new SessionHandOver(keys);
    }

    /** @param reread whether a former try may have been committed, so that what is held is read */
    CompletableFuture<Looked> run(Transaction transaction, Situation situation, boolean reread) {
        Map<UUID, SessionRecord> held = new LinkedHashMap<>();
        Map<UUID, SessionRecord> ending = new LinkedHashMap<>();
        Map<String, Integer> waiting = new TreeMap<>();
        CompletableFuture<Void> fenced = situation.takes() ? seat.fenceForWork(transaction) : seat.fence(transaction);
        return fenced.thenCompose(
                        unused -> reread ? read(transaction) : CompletableFuture.completedFuture(situation.held()))
                .thenAccept(held::putAll)
                .thenCompose(unused -> resume(transaction, situation, held))
                .thenCompose(unused -> goOn(transaction, situation.passed(), held))
                .thenCompose(unused -> fail(transaction, situation.failing(), held))
                .thenCompose(unused -> transaction
                        .getRange(keys.ending.range(seat.name()), ENDING_MAX, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> endings(transaction, found)
                        .thenCompose(endings -> all(endings, one -> end(transaction, one, situation, held, ending)))
                        .thenApply(unused -> found.size() == ENDING_MAX))
                .thenCompose(more -> situation.takes()
                        ? grant(transaction, situation.offer(), held, waiting).thenApply(full -> more || full)
                        : CompletableFuture.completedFuture(more))
                .thenApply(full -> new Looked(held, ending, waiting, full));
    }

    private UUID idOf(KeyValue pair) {
        return keys.ending.elements(pair.getKey()).getUUID(1);
    }

    private static <T> CompletableFuture<Void> all(List<T> some, Function<T, CompletableFuture<Void>> each) {
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (T one : some) {
            done = done.thenCompose(unused -> each.apply(one));
        }
        return done;
    }

    private CompletableFuture<Map<UUID, SessionRecord>> read(Transaction transaction) {
        Map<UUID, SessionRecord> found = new LinkedHashMap<>();
        return transaction
                .getRange(keys.held.range(seat.name()))
                .asList()
                .thenCompose(pairs -> all(pairs, pair -> {
                    UUID id = keys.held.elements(pair.getKey()).getUUID(1);
                    return keys.record(transaction, id)
                            .thenAccept(record -> record.ifPresent(one -> found.put(id, one)));
                }))
                .thenApply(unused -> found);
    }

    private CompletableFuture<Void> fail(
            Transaction transaction, Map<UUID, SessionFailing> failing, Map<UUID, SessionRecord> held) {
        return all(List.copyOf(failing.entrySet()), one -> keys.record(transaction, one.getKey())
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
        return all(List.copyOf(passed.entrySet()), one -> keys.record(transaction, one.getKey())
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
        return all(suspended, id -> keys.record(transaction, id).thenCompose(found -> {
            Optional<SessionRecord> still =
                    found.filter(session -> session.getState() == SessionState.SESSION_STATE_SUSPENDED);
            if (still.isEmpty()) {
                held.remove(id);
                return DONE;
            }
            long now = store.environment().wallClockMillis();
            // Slots of a host stay there.
            boolean elsewhere = still.get().getSlotsList().stream()
                    .anyMatch(
                            slot -> !slot.getHost().isEmpty() && !slot.getHost().equals(host));
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
            return situation.takes() ? bindAgain(transaction, id, still.get(), held) : DONE;
        }));
    }

    private CompletableFuture<Void> bindAgain(
            Transaction transaction, UUID id, SessionRecord session, Map<UUID, SessionRecord> held) {
        SessionRecord.Builder open = session.toBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setIncarnation(seat.incarnation())
                .setToken(session.getToken() + 1)
                .setChecking(session.hasCheck())
                .clearSuspendedUntilWallMillis()
                .clearSlots();
        return all(session.getSlotsList(), slot -> keys.grant(transaction, SessionIds.bytes(id), seat.name(), slot)
                        .thenAccept(open::addSlots))
                .thenAccept(unused -> {
                    SessionRecord record = open.build();
                    keys.set(transaction, id, record);
                    // Its futures wait on this seat.
                    keys.wake(transaction, seat.name());
                    held.put(id, record);
                });
    }

    /** A session that ends, as it is read. */
    private record Ending(UUID id, Optional<SessionRecord> session, boolean hasFutures) {}

    /** All are read at once: one after the other they would make the round as long as there are sessions. */
    private CompletableFuture<List<Ending>> endings(Transaction transaction, List<KeyValue> found) {
        return together(found.stream()
                .map(this::idOf)
                .map(id -> keys.record(transaction, id)
                        .thenCombine(
                                transaction.getRange(keys.futures.range(id), 1).asList(),
                                (session, futures) -> new Ending(id, session, !futures.isEmpty())))
                .toList());
    }

    private static <T> CompletableFuture<List<T>> together(List<CompletableFuture<T>> reads) {
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenApply(unused -> reads.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<Void> end(
            Transaction transaction,
            Ending one,
            Situation situation,
            Map<UUID, SessionRecord> held,
            Map<UUID, SessionRecord> ending) {
        UUID id = one.id();
        if (one.session().isEmpty()) {
            transaction.clear(keys.ending.key(seat.name(), id));
            return DONE;
        }
        SessionRecord session = one.session().get();
        boolean waits = session.getState() == SessionState.SESSION_STATE_CLOSING && !session.getCancel();
        if (isHere(session) && session.getSlotsCount() > 0) {
            held.put(id, session);
        }
        if (one.hasFutures() && !waits) {
            ending.put(id, session);
        } else if (!one.hasFutures() && session.getSlotsCount() == 0) {
            transaction.clear(keys.ending.key(seat.name(), id));
        } else if (!one.hasFutures() && isHere(session) && situation.leave().test(id)) {
            return pass(transaction, id, session, situation, held);
        }
        return DONE;
    }

    /** Frees the slots of a session none of whose code runs, or gives them to the session that takes it over. */
    private CompletableFuture<Void> pass(
            Transaction transaction,
            UUID id,
            SessionRecord session,
            Situation situation,
            Map<UUID, SessionRecord> held) {
        long now = store.environment().wallClockMillis();
        return handOver.waiting(transaction, session).thenCompose(found -> {
            if (found.isPresent() && situation.takes()) {
                return handOver.finish(transaction, session, found.get(), now).thenAccept(open -> {
                    transaction.clear(keys.held.key(seat.name(), id));
                    closed(transaction, id, session.toBuilder().clearSlots().build());
                    held.remove(id);
                    held.put(SessionIds.of(session.getSuccessor()), open);
                });
            }
            if (found.isPresent() && !situation.draining()) {
                return DONE; // The worker may grant again, or is lost.
            }
            found.ifPresent(
                    waiting -> handOver.fail(transaction, session, waiting, SessionFailing.drained(seat.name()), now));
            closed(transaction, id, keys.release(transaction, id, session));
            held.remove(id);
            return DONE;
        });
    }

    private void closed(Transaction transaction, UUID id, SessionRecord freed) {
        transaction.clear(keys.ending.key(seat.name(), id));
        if (freed.getState() == SessionState.SESSION_STATE_CLOSING) {
            keys.setOver(
                    transaction,
                    id,
                    freed.toBuilder()
                            .setState(SessionState.SESSION_STATE_CLOSED)
                            .setEndedWallMillis(store.environment().wallClockMillis())
                            .build());
        } else {
            keys.set(transaction, id, freed);
        }
    }

    private CompletableFuture<Boolean> grant(
            Transaction transaction,
            SlotCapacity.Offer offer,
            Map<UUID, SessionRecord> held,
            Map<String, Integer> waiting) {
        if (offer.counts().values().stream().allMatch(count -> count == 0)) {
            return CompletableFuture.completedFuture(false);
        }
        return transaction
                .snapshot()
                .getRange(keys.waiting.range(), WAITING_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(false)
                        : own(transaction, offer).thenCompose(own -> {
                            FreeSlots free = new FreeSlots(offer, held.values(), own.taken(), own.version());
                            return candidates(transaction, found, free)
                                    .thenCompose(
                                            records -> grant(transaction, found, records, free, own, held, waiting));
                        }));
    }

    /**
     * Where this worker is.
     *
     * @param generation of the store
     * @param ofHosts resources whose slots its host has
     * @param taken slots of its host that are held, by whomever
     */
    private record Own(
            String host, String version, long generation, Set<String> ofHosts, Map<String, Set<Integer>> taken) {}

    /** Other workers of the host that grant at the same time conflict with what is read here. */
    private CompletableFuture<Own> own(Transaction transaction, SlotCapacity.Offer offer) {
        return members.one(transaction.snapshot(), seat.name())
                .thenCombine(
                        StoreRecord.generation(
                                transaction.snapshot(), store.keys().keyspace()),
                        (member, generation) -> new Own(
                                member.map(Member::host).orElse(""),
                                member.map(Member::version).orElse(""),
                                generation,
                                offer.ofHosts(),
                                new TreeMap<>()))
                .thenCompose(own -> {
                    if (own.ofHosts().isEmpty()) {
                        return CompletableFuture.completedFuture(own);
                    }
                    return transaction
                            .getRange(keys.hostSlots.range(own.host()))
                            .asList()
                            .thenApply(found -> {
                                for (KeyValue pair : found) {
                                    Tuple key = keys.hostSlots.elements(pair.getKey());
                                    own.taken()
                                            .computeIfAbsent(key.getString(1), unused -> new TreeSet<>())
                                            .add((int) key.getLong(2));
                                }
                                return own;
                            });
                });
    }

    /**
     * The records of the first sessions for which the free slots suffice, by id; all are read at once, and those that
     * are made use of conflict with who changes them.
     */
    private CompletableFuture<Map<UUID, Optional<SessionRecord>>> candidates(
            Transaction transaction, List<KeyValue> found, FreeSlots free) {
        List<KeyValue> rows = found.stream()
                .filter(pair -> free.suffices(keys.waiting.decode(pair.getValue())))
                .limit(GRANTED_MAX)
                .toList();
        return together(rows.stream()
                        .map(pair -> keys.record(transaction.snapshot(), waitingId(pair)))
                        .toList())
                .thenApply(records -> {
                    Map<UUID, Optional<SessionRecord>> byId = new HashMap<>();
                    for (int i = 0; i < rows.size(); i++) {
                        byId.put(waitingId(rows.get(i)), records.get(i));
                    }
                    return byId;
                });
    }

    private UUID waitingId(KeyValue pair) {
        return keys.waiting.elements(pair.getKey()).getUUID(2);
    }

    /** Decides one after the other, because what one takes is not there for the next; writes all at once. */
    private CompletableFuture<Boolean> grant(
            Transaction transaction,
            List<KeyValue> found,
            Map<UUID, Optional<SessionRecord>> records,
            FreeSlots free,
            Own own,
            Map<UUID, SessionRecord> held,
            Map<String, Integer> waiting) {
        List<CompletableFuture<Void>> opened = new ArrayList<>();
        boolean isFull = false;
        int granted = 0;
        for (KeyValue pair : found) {
            SlotDemand demand = keys.waiting.decode(pair.getValue());
            if (!free.suffices(demand)) {
                if (free.couldSuffice(demand)) {
                    demand.getSlotsMap().keySet().forEach(resource -> waiting.merge(resource, 1, Integer::sum));
                }
                continue;
            }
            UUID id = waitingId(pair);
            Optional<SessionRecord> record = records.get(id);
            if (granted >= GRANTED_MAX || record == null) {
                isFull = true;
                break;
            }
            transaction.clear(pair.getKey());
            transaction.addReadConflictKey(keys.records.key(id));
            if (mayOpen(transaction, id, record)) {
                granted += demand.getSlotsMap().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                opened.add(open(transaction, id, record.get(), free, own, held));
            }
        }
        boolean full = isFull;
        return together(opened).thenApply(unused -> full);
    }

    /** Whether a session still waits, and not for too long. */
    private boolean mayOpen(Transaction transaction, UUID id, Optional<SessionRecord> found) {
        if (found.isEmpty() || found.get().getState() != SessionState.SESSION_STATE_WAITING) {
            return false;
        }
        long now = store.environment().wallClockMillis();
        boolean late = found.get().getCreationDeadlineWallMillis() + LATE_MILLIS < now;
        if (late) {
            keys.setOver(transaction, id, SessionRequests.timedOut(found.get(), now));
        }
        return !late;
    }

    private CompletableFuture<Void> open(
            Transaction transaction,
            UUID id,
            SessionRecord waiting,
            FreeSlots free,
            Own own,
            Map<UUID, SessionRecord> held) {
        SessionRecord.Builder open = waiting.toBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation())
                .setToken(waiting.getToken() + 1)
                .setStoreGeneration(own.generation())
                .setOpenedWallMillis(store.environment().wallClockMillis());
        List<CompletableFuture<HeldSlot>> taken = new ArrayList<>();
        free.take(waiting.getDemand()).forEach((resource, numbers) -> {
            String host = own.ofHosts().contains(resource) ? own.host() : "";
            numbers.forEach(number -> taken.add(take(
                    transaction,
                    id,
                    HeldSlot.newBuilder()
                            .setResource(resource)
                            .setNumber(number)
                            .setHost(host)
                            .build())));
        });
        return together(taken).thenAccept(slots -> {
            SessionRecord record = open.addAllSlots(slots).build();
            keys.set(transaction, id, record);
            transaction.set(keys.held.key(seat.name(), id), FutureKeys.PRESENT);
            synchronized (held) {
                held.put(id, record);
            }
        });
    }

    private CompletableFuture<HeldSlot> take(Transaction transaction, UUID id, HeldSlot slot) {
        return transaction
                .get(keys.slot(seat.name(), slot))
                .thenCombine(keys.grant(transaction, SessionIds.bytes(id), seat.name(), slot), (holder, granted) -> {
                    if (holder != null) {
                        throw new IllegalStateException("The slot " + slot.getResource() + "/" + slot.getNumber()
                                + " of " + seat.name() + " is held, against what is known");
                    }
                    return granted;
                });
    }
}
