/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The part of a round that gives free slots away: to those that wait in the queue, first come, first served among those
 * that they suffice for, and then to those that are asked for in this round, which stand behind all that wait with
 * their priority. One that gets nothing is put into the queue by the same transaction. Whoever is served without having
 * been in the queue makes the transaction conflict with each that was put there meanwhile. Safe for use by several
 * threads.
 */
final class SessionGrants {

    /** Sessions that one round looks at in the queue. */
    static final int WAITING_MAX = 1_000;

    /** Slots that one round grants, but for those of the last session. */
    private static final int GRANTED_MAX = 500;

    /** A creation timeout is the business of the worker that was asked; others help once it is late. */
    static final long LATE_MILLIS = 10_000;

    private final FutureStore store;
    private final SessionKeys keys;
    private final Members members;
    private final Seat seat;
    private final NewSessions newSessions;
    private volatile @Nullable Place place;

    SessionGrants(FutureStore store, Members members, Seat seat, NewSessions newSessions) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.members = members;
        this.seat = seat;
        this.newSessions = newSessions;
    }

    /**
     * Where this worker is, for as long as it has its seat.
     *
     * @param generation of the store: a worker under which that is restored loses its seat
     */
    private record Place(String host, WorkerTraits traits, long generation) {}

    /**
     * What this worker has.
     *
     * @param ofHosts resources whose slots its host has
     * @param taken slots of its host that are held, by whomever, of those resources that anybody wants
     */
    private record Own(Place place, Set<String> ofHosts, Map<String, Set<Integer>> taken) {}

    /**
     * Where a pass through the queue goes on that takes several rounds. A slot that is freed meanwhile is for the next
     * pass, because those that were passed over have come first.
     *
     * @param from the first session that was not looked at
     * @param heldBack the sessions that have had slots here since the pass began
     * @param waiting sessions passed over that wait for each resource
     */
    record Pass(byte[] from, Map<UUID, SessionRecord> heldBack, Map<String, Integer> waiting) {}

    /** What there is to give, and a page of those that wait for it, as read in this transaction. */
    record Queue(Optional<Pass> pass, List<KeyValue> rows, Own own) {
        private boolean isWhole() {
            return pass.isEmpty() && rows.size() < WAITING_MAX;
        }

        private Optional<byte[]> next() {
            return rows.size() < WAITING_MAX
                    ? Optional.empty()
                    : Optional.of(ByteArrayUtil.keyAfter(rows.getLast().getKey()));
        }
    }

    /**
     * What a round has given.
     *
     * @param waiting sessions that wait for each resource, be it that no worker has it: those that the pass has seen
     * @param next where the pass goes on; empty where it is over
     * @param isFull whether there may be more to do at once
     */
    record Given(Map<String, Integer> waiting, Optional<Pass> next, boolean isFull) {}

    /** Who may be given slots: one that waits has a key in the queue, and one that is asked for now has none. */
    private record Candidate(long band, SlotDemand demand, UUID id, byte[] key, Optional<NewSessions.Wanted> asked) {}

    /**
     * What one transaction decides.
     *
     * @param waiting as {@link Given#waiting}
     * @param tokens those of the worker's own slots, as far as it knows them
     * @param answers what becomes of those that were asked for
     */
    private record Granting(
            FreeSlots free,
            SlotTokens tokens,
            Own own,
            Map<UUID, SessionRecord> held,
            Map<String, Integer> waiting,
            SessionRound.Answers answers,
            List<CompletableFuture<Void>> opened) {}

    /** Reads what {@link #grant} needs. */
    CompletableFuture<Queue> queue(Transaction transaction, SessionRound.Situation situation) {
        Optional<Pass> pass = situation.pass();
        CompletableFuture<Place> there = place(transaction);
        Range all = keys.waiting.range();
        Range rest = new Range(pass.map(Pass::from).orElse(all.begin), all.end);
        return transaction
                .snapshot()
                .getRange(rest, WAITING_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(rows -> there.thenCompose(
                        here -> own(transaction, here, situation, rows).thenApply(own -> new Queue(pass, rows, own))));
    }

    /** Other workers of the host that grant at the same time conflict with what is read here. */
    private CompletableFuture<Own> own(
            Transaction transaction, Place here, SessionRound.Situation situation, List<KeyValue> rows) {
        Own own = new Own(here, situation.offer().ofHosts(), new TreeMap<>());
        if (own.ofHosts().isEmpty()) {
            return CompletableFuture.completedFuture(own);
        }
        Set<String> wanted = new TreeSet<>();
        rows.forEach(pair ->
                wanted.addAll(keys.waiting.decode(pair.getValue()).getSlotsMap().keySet()));
        situation
                .asked()
                .forEach(one ->
                        wanted.addAll(one.getOpen().getDemand().getSlotsMap().keySet()));
        wanted.retainAll(own.ofHosts());
        return together(wanted.stream()
                        .map(resource -> transaction
                                .getRange(keys.hostSlots.range(here.host(), resource))
                                .asList())
                        .toList())
                .thenApply(found -> {
                    found.forEach(pairs -> taken(own, pairs));
                    return own;
                });
    }

    /** Read once: the transaction is fenced by the incarnation, whose place does not change. */
    private CompletableFuture<Place> place(Transaction transaction) {
        Place known = place;
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return members.one(transaction.snapshot(), seat.name())
                .thenCombine(
                        StoreRecord.generation(
                                transaction.snapshot(), store.keys().keyspace()),
                        (member, generation) -> {
                            Place found = new Place(
                                    member.map(Member::host).orElse(""),
                                    member.map(WorkerTraits::of).orElse(WorkerTraits.NONE),
                                    generation);
                            if (member.filter(one -> one.incarnation() == seat.incarnation())
                                    .isPresent()) {
                                place = found;
                            }
                            return found;
                        });
    }

    private void taken(Own own, List<KeyValue> found) {
        for (KeyValue pair : found) {
            Tuple key = keys.hostSlots.elements(pair.getKey());
            own.taken()
                    .computeIfAbsent(key.getString(1), unused -> new TreeSet<>())
                    .add((int) key.getLong(2));
        }
    }

    /**
     * Decides one after the other, because what one takes is not there for the next; writes all at once.
     *
     * @param asked sessions that were not known before
     * @param held what has slots here, to which those are added that get some
     * @param answers where it is said what becomes of those that were asked for
     */
    CompletableFuture<Given> grant(
            Transaction transaction,
            SessionRound.Situation situation,
            Queue queue,
            List<NewSessions.Wanted> asked,
            Map<UUID, SessionRecord> held,
            SessionRound.Answers answers) {
        Own own = queue.own();
        FreeSlots free = new FreeSlots(
                situation.offer(), held.values(), own.taken(), own.place().traits());
        queue.pass().ifPresent(pass -> free.holdBack(pass.heldBack().values()));
        Map<String, Integer> waiting =
                new TreeMap<>(queue.pass().map(Pass::waiting).orElse(Map.of()));
        Granting granting = new Granting(free, situation.tokens(), own, held, waiting, answers, new ArrayList<>());
        List<Candidate> candidates = candidates(queue, asked);
        return records(transaction, queue, free).thenCompose(records -> {
            Optional<byte[]> from = decide(transaction, queue, candidates, records, granting);
            return together(granting.opened()).thenApply(unused -> {
                Map<UUID, SessionRecord> heldBack =
                        new HashMap<>(queue.pass().map(Pass::heldBack).orElse(Map.of()));
                // What was freed meanwhile, and who was put into the queue, are the next pass's.
                boolean isFreed = !held.keySet().containsAll(heldBack.keySet());
                heldBack.putAll(held);
                boolean isFull = from.isPresent() || isFreed || (!queue.isWhole() && !asked.isEmpty());
                return new Given(waiting, from.map(key -> new Pass(key, heldBack, waiting)), isFull);
            });
        });
    }

    private List<Candidate> candidates(Queue queue, List<NewSessions.Wanted> asked) {
        List<Candidate> candidates = new ArrayList<>();
        for (KeyValue pair : queue.rows()) {
            long band = keys.waiting.elements(pair.getKey()).getLong(0);
            candidates.add(new Candidate(
                    band, keys.waiting.decode(pair.getValue()), waitingId(pair), pair.getKey(), Optional.empty()));
        }
        for (NewSessions.Wanted one : asked) {
            SessionRecord record = one.record();
            candidates.add(
                    new Candidate(-record.getPriority(), record.getDemand(), one.id(), new byte[0], Optional.of(one)));
        }
        candidates.sort(Comparator.comparingLong(Candidate::band));
        return candidates;
    }

    /**
     * The records of the first sessions of the queue for which the free slots suffice, by id; all are read at once, and
     * those that are made use of conflict with who changes them.
     */
    private CompletableFuture<Map<UUID, Optional<SessionRecord>>> records(
            Transaction transaction, Queue queue, FreeSlots free) {
        List<KeyValue> rows = queue.rows().stream()
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

    /** @return the first key of the queue that was not looked at; empty if all were */
    private Optional<byte[]> decide(
            Transaction transaction,
            Queue queue,
            List<Candidate> candidates,
            Map<UUID, Optional<SessionRecord>> records,
            Granting granting) {
        Optional<byte[]> stoppedAt = Optional.empty();
        OptionalLong lastBand = OptionalLong.empty();
        int granted = 0;
        for (Candidate one : candidates) {
            boolean suffices = granting.free().suffices(one.demand());
            if (one.asked().isPresent()) {
                // Elsewhere in the queue there may be one that has asked before.
                if (suffices && stoppedAt.isEmpty() && queue.isWhole()) {
                    granted += slots(one.demand());
                    lastBand = OptionalLong.of(one.band());
                    open(transaction, one.asked().get().record(), one, granting);
                } else {
                    queue(transaction, one.asked().get());
                    granting.answers().say(one.id(), one.asked().get().record());
                    count(one, granting);
                }
            } else if (stoppedAt.isEmpty() && !suffices) {
                count(one, granting);
            } else if (stoppedAt.isEmpty() && (granted >= GRANTED_MAX || !records.containsKey(one.id()))) {
                stoppedAt = Optional.of(one.key());
            } else if (stoppedAt.isEmpty()) {
                keys.waiting.clearRow(transaction, one.key());
                transaction.addReadConflictKey(keys.records.key(one.id()));
                Optional<SessionRecord> record = records.getOrDefault(one.id(), Optional.empty());
                if (mayOpen(transaction, one.id(), record)) {
                    granted += slots(one.demand());
                    open(transaction, record.get(), one, granting);
                }
            }
        }
        lastBand.ifPresent(band -> conflictWithQueue(transaction, band));
        return stoppedAt.or(queue::next);
    }

    private static int slots(SlotDemand demand) {
        return demand.getSlotsMap().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Nobody is overtaken who has come to wait since this transaction has looked. */
    private void conflictWithQueue(Transaction transaction, long band) {
        transaction.addReadConflictRange(keys.waiting.range().begin, keys.waiting.range(band).end);
    }

    private static void count(Candidate one, Granting granting) {
        one.demand().getSlotsMap().keySet().forEach(resource -> granting.waiting()
                .merge(resource, 1, Integer::sum));
    }

    /** Records one that was asked for now behind all that wait. */
    void queue(Transaction transaction, NewSessions.Wanted one) {
        newSessions.write(transaction, one, one.record());
        keys.queue(transaction, one.id(), one.record());
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

    private void open(Transaction transaction, SessionRecord waiting, Candidate one, Granting granting) {
        Own own = granting.own();
        SessionRecord.Builder open = waiting.toBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation())
                .setToken(waiting.getToken() + 1)
                .setStoreGeneration(own.place().generation())
                .setOpenedWallMillis(store.environment().wallClockMillis());
        List<CompletableFuture<HeldSlot>> taken = new ArrayList<>();
        granting.free().take(one.demand()).forEach((resource, numbers) -> {
            String host = own.ofHosts().contains(resource) ? own.place().host() : "";
            numbers.forEach(number -> taken.add(take(
                    transaction,
                    one.id(),
                    HeldSlot.newBuilder()
                            .setResource(resource)
                            .setNumber(number)
                            .setHost(host)
                            .build(),
                    granting.tokens())));
        });
        granting.opened().add(together(taken).thenAccept(slots -> {
            SessionRecord record = open.addAllSlots(slots).build();
            one.asked()
                    .ifPresentOrElse(
                            wanted -> newSessions.write(transaction, wanted, record),
                            () -> keys.set(transaction, one.id(), record));
            keys.held.set(transaction, FutureKeys.PRESENT, seat.name(), one.id());
            synchronized (granting) {
                granting.held().put(one.id(), record);
                one.asked().ifPresent(wanted -> granting.answers().say(wanted.id(), record));
            }
        }));
    }

    private CompletableFuture<HeldSlot> take(Transaction transaction, UUID id, HeldSlot slot, SlotTokens tokens) {
        OptionalLong known = tokens.of(slot);
        if (known.isPresent()) {
            HeldSlot granted = keys.grant(transaction, SessionIds.bytes(id), seat.name(), slot, known.getAsLong());
            tokens.granted(granted);
            return CompletableFuture.completedFuture(granted);
        }
        return transaction
                .get(keys.slot(seat.name(), slot))
                .thenCombine(keys.grant(transaction, SessionIds.bytes(id), seat.name(), slot), (holder, granted) -> {
                    if (holder != null) {
                        throw new IllegalStateException("The slot " + slot.getResource() + "/" + slot.getNumber()
                                + " of " + seat.name() + " is held, against what is known");
                    }
                    tokens.granted(granted);
                    return granted;
                });
    }

    static <T> CompletableFuture<List<T>> together(List<CompletableFuture<T>> reads) {
        return AsyncUtil.whenAll(reads)
                .thenApply(unused -> reads.stream().map(CompletableFuture::join).toList());
    }
}
