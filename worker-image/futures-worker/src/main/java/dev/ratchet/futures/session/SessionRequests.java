/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Peers;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What clients ask of sessions, each in one transaction that may be repeated. A session that waits and one that times
 * out are read with conflict by whoever grants, so exactly one of the two happens.
 */
public final class SessionRequests {

    private static final long RETRY_MILLIS = 500;

    /** Records of sessions that are over stay for so long, for those who ask what has become of them. */
    static final long RETENTION_MILLIS = 600_000;

    /** A session that waits for so long has another worker look: one that was woken may have died, or be full. */
    private static final long WAKE_MILLIS = 1_000;

    /** How long one call waits. */
    private static final long POLL_MILLIS = 20_000;

    /** For how long after its last request a worker tidies: until what was over then is forgotten. */
    private static final long TIDY_NANOS = 2 * RETENTION_MILLIS * 1_000_000;

    private static final int PAGE = 200;

    private final FutureStore store;
    private final SessionKeys keys;
    private final Clients clients;
    private final NewSessions newSessions;
    private final SessionClosing closing;
    private final SlotsCaller slots;
    private final SlotsChoice choice;
    private final SessionHolder holder;
    private final String seat;
    private volatile boolean used;
    private volatile long usedNanos;

    /** @param holder the sessions of this worker, and {@code seat} where that is */
    public SessionRequests(
            FutureStore store, Liveness liveness, Clients clients, Peers peers, SessionHolder holder, String seat) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.clients = clients;
        this.newSessions = new NewSessions(store, clients);
        this.closing = new SessionClosing(keys, store.environment()::wallClockMillis);
        this.slots = new SlotsCaller(peers, liveness, holder, seat, store.environment());
        this.choice = new SlotsChoice(liveness, store.environment(), slots::isSilent);
        this.holder = holder;
        this.seat = seat;
    }

    /**
     * Opens a session, or waits for a while until it does not wait any more. A worker that has slots free, as far as is
     * known, is asked for them itself; what nobody can be asked for goes into the queue. One whose id is known is not
     * recorded again.
     *
     * @throws IllegalArgumentException if the request makes no sense, or no worker has such slots
     */
    public CompletableFuture<SessionRecord> open(OpenSessionRequest request) {
        use();
        UUID id = SessionIds.of(request.getId());
        SlotDemand demand = demand(request);
        List<Member> present = choice.present();
        boolean takesOver = !request.getPredecessor().isEmpty();
        if (!request.getWaitForCapacity() && !takesOver) {
            SessionDemands.requireCapacity(demand, present);
        }
        long pollMillis = Math.min(POLL_MILLIS, request.getCreationTimeoutMillis());
        long deadline = store.environment().nanoTime() + pollMillis * 1_000_000;
        Optional<String> chosen = choice.choose(demand, present);
        CompletableFuture<SlotsAnswer> asked = takesOver || chosen.isEmpty()
                ? CompletableFuture.completedFuture(AskedSlots.UNKNOWN)
                : slots.ask(
                                chosen.get(),
                                List.of(SlotsRequest.newBuilder()
                                        .setOpen(request)
                                        .build()))
                        .getFirst();
        return asked.thenCompose(answer -> switch (answer.getWhatCase()) {
            case SESSION ->
                waits(answer.getSession())
                        ? await(id, deadline, choice.free(demand, chosen))
                        : CompletableFuture.completedFuture(answer.getSession());
            case REFUSAL -> throw new IllegalArgumentException(answer.getRefusal());
            default ->
                store.runPlain(transaction -> record(
                                transaction,
                                request,
                                choice.free(demand, chosen).or(() -> chosen)))
                        .thenCompose(unused -> await(id, deadline, Optional.empty()));
        });
    }

    /**
     * Has sessions opened and closed, as far as their workers do it at once: those of one worker by one transaction.
     *
     * @param requests at most {@value AskedSlots#ROUND_MAX}
     * @return an answer to each, in their order; empty where {@link #open} and {@link #close} have to tell. Does not
     *     fail for what is refused, which the answer says
     */
    public CompletableFuture<List<SlotsAnswer>> ask(AskSlotsRequest requests) {
        use();
        AskedSlots.requireUsable(requests);
        SlotsChoice.Together together = choice.new Together();
        List<CompletableFuture<SlotsAnswer>> answers = new ArrayList<>();
        Map<String, List<SlotsRequest>> bySeat = new LinkedHashMap<>();
        Map<String, List<CompletableFuture<SlotsAnswer>>> waiting = new HashMap<>();
        for (SlotsRequest request : requests.getRequestsList()) {
            CompletableFuture<SlotsAnswer> answer = new CompletableFuture<>();
            answers.add(answer);
            try {
                String to = request.hasOpen()
                        ? toOpen(request.getOpen(), together)
                        : request.getClose().getSeat();
                bySeat.computeIfAbsent(to, unused -> new ArrayList<>()).add(request);
                waiting.computeIfAbsent(to, unused -> new ArrayList<>()).add(answer);
            } catch (IllegalArgumentException refused) {
                answer.complete(AskedSlots.refusal(refused));
            }
        }
        bySeat.forEach((to, some) -> {
            Iterator<CompletableFuture<SlotsAnswer>> next =
                    waiting.getOrDefault(to, List.of()).iterator();
            slots.ask(to, some).forEach(told -> told.thenAccept(next.next()::complete));
        });
        return SessionGrants.together(answers);
    }

    /** The seat of the worker that is asked for a session; empty where nobody is. */
    private String toOpen(OpenSessionRequest request, SlotsChoice.Together together) {
        SlotDemand demand = demand(request);
        if (!request.getPredecessor().isEmpty()) {
            return "";
        }
        if (!request.getWaitForCapacity()) {
            SessionDemands.requireCapacity(demand, together.present());
        }
        return together.choose(demand).orElse("");
    }

    private SlotDemand demand(OpenSessionRequest request) {
        SlotDemand demand = SessionDemands.demand(request);
        SessionDemands.requireLevel(demand, store.keys().keyspace().formats().get());
        return demand;
    }

    private void use() {
        usedNanos = store.environment().nanoTime();
        used = true;
    }

    private CompletableFuture<Void> record(
            Transaction transaction, OpenSessionRequest request, Optional<String> woken) {
        return newSessions
                .look(transaction, request, newSessions.owners(transaction))
                .thenAccept(wanted -> {
                    if (wanted.isKnown()) {
                        return;
                    }
                    newSessions.write(transaction, wanted, wanted.record());
                    if (wanted.record().getPredecessor().isEmpty()) {
                        keys.queue(transaction, wanted.id(), wanted.record());
                        woken.ifPresent(one -> keys.wake(transaction, one));
                    }
                });
    }

    private record Look(
            Optional<SessionRecord> record, @Nullable CompletableFuture<Void> watch) {
        boolean isLate(long nowMillis) {
            return record.filter(session -> session.getCreationDeadlineWallMillis() <= nowMillis)
                    .isPresent();
        }
    }

    /** @param wake the worker that is to look once more, if one is */
    private CompletableFuture<SessionRecord> await(UUID id, long deadlineNanos, Optional<String> wake) {
        return store.runPlain(transaction -> look(transaction, id, wake)).thenCompose(look -> {
            CompletableFuture<Void> watch = look.watch();
            if (watch == null) {
                return CompletableFuture.completedFuture(look.record()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "The session " + id + " is forgotten: it ended long ago.")));
            }
            long leftMillis = (deadlineNanos - store.environment().nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                watch.cancel(false);
                return look.isLate(store.environment().wallClockMillis())
                        ? expire(id)
                        : CompletableFuture.completedFuture(look.record().orElseThrow());
            }
            return changed(watch, Math.min(leftMillis, WAKE_MILLIS))
                    .thenComposeAsync(
                            unused -> await(
                                    id,
                                    deadlineNanos,
                                    woken(look.record().orElseThrow().getDemand())),
                            store.environment().executor());
        });
    }

    /** The worker that is to look once more. Where none has such slots, this one says that they are waited for. */
    private Optional<String> woken(SlotDemand demand) {
        Optional<String> chosen = choice.choose(demand, choice.present());
        if (chosen.isEmpty() && holder.waiting().isEmpty()) {
            holder.poke();
        }
        return chosen;
    }

    /** Says of a session that waits that no worker has what it waits for; empty of others. */
    public Optional<String> lack(SessionRecord session) {
        // One that takes over another session has the slots of that one, be it that there are none any more.
        boolean queued = waits(session) && session.getPredecessor().isEmpty();
        return queued ? SessionDemands.lackOfWaiting(session.getDemand(), choice.present()) : Optional.empty();
    }

    private CompletableFuture<Look> look(Transaction transaction, UUID id, Optional<String> wake) {
        return keys.record(transaction, id).thenApply(record -> {
            boolean waits = record.filter(SessionRequests::waits).isPresent();
            if (waits) {
                wake.ifPresent(one -> keys.wake(transaction, one));
            }
            return new Look(record, waits ? transaction.watch(keys.records.key(id)) : null);
        });
    }

    private static boolean waits(SessionRecord session) {
        return session.getState() == SessionState.SESSION_STATE_WAITING;
    }

    /** Completes when the watch does, when it has failed some time ago, or after so long. */
    private CompletableFuture<Void> changed(CompletableFuture<Void> watch, long millis) {
        CompletableFuture<Void> changed = new CompletableFuture<>();
        Cancellable timer = store.environment().schedule(millis + 1, () -> changed.complete(null));
        watch.whenComplete((unused, failure) -> {
            if (failure == null) {
                changed.complete(null);
            } else if (!changed.isDone()) {
                var unusedTimer = store.environment().schedule(RETRY_MILLIS, () -> changed.complete(null));
            }
        });
        return changed.whenComplete((unused, failure) -> {
            timer.cancel();
            watch.cancel(false);
        });
    }

    private CompletableFuture<SessionRecord> expire(UUID id) {
        return store.runPlain(transaction -> keys.record(transaction, id).thenCompose(found -> {
            SessionRecord session = found.orElseThrow(
                    () -> new IllegalArgumentException("The session " + id + " is forgotten: it ended long ago."));
            if (!waits(session)) {
                return CompletableFuture.completedFuture(session);
            }
            SessionRecord over = timedOut(session, store.environment().wallClockMillis());
            keys.setOver(transaction, id, over);
            return closing.unqueue(transaction, id, session).thenApply(unused -> over);
        }));
    }

    /** What a waiting session becomes whose creation took too long. */
    static SessionRecord timedOut(SessionRecord session, long nowMillis) {
        return session.toBuilder()
                .setState(SessionState.SESSION_STATE_CREATION_TIMED_OUT)
                .setEndedWallMillis(nowMillis)
                .setMessage("No worker had the slots " + SessionDemands.told(session.getDemand())
                        + " free for it within "
                        + (session.getCreationDeadlineWallMillis() - session.getCreatedWallMillis()) + " ms.")
                .build();
    }

    /**
     * Ends a session; what is over stays as it is.
     *
     * @param request names the seat that holds it, if the caller knows: that worker then does all of it in one
     *     transaction
     * @return what it is then; nothing if it is not known
     */
    public CompletableFuture<Optional<SessionRecord>> close(CloseSessionRequest request) {
        use();
        UUID id = SessionIds.of(request.getId());
        CompletableFuture<SlotsAnswer> asked = request.getSeat().isEmpty()
                ? CompletableFuture.completedFuture(AskedSlots.UNKNOWN)
                : slots.ask(
                                request.getSeat(),
                                List.of(SlotsRequest.newBuilder()
                                        .setClose(request)
                                        .build()))
                        .getFirst();
        return asked.thenCompose(answer -> switch (answer.getWhatCase()) {
            case SESSION -> CompletableFuture.completedFuture(Optional.of(answer.getSession()));
            case REFUSAL -> throw new IllegalArgumentException(answer.getRefusal());
            default -> close(id, request.getCancel(), request.getOwnerSecret());
        });
    }

    private CompletableFuture<Optional<SessionRecord>> close(UUID id, boolean cancel, ByteString ownerSecret) {
        return store.runPlain(transaction -> keys.record(transaction, id).thenCompose(found -> {
                    if (found.isEmpty()) {
                        return CompletableFuture.completedFuture(found);
                    }
                    SessionClosing.requireOwner(id, found.get(), ownerSecret);
                    return closing.close(transaction, id, found.get(), cancel).thenApply(Optional::of);
                }))
                .thenApply(closed -> {
                    if (closed.filter(session -> session.getSeat().equals(seat)).isPresent()) {
                        holder.poke();
                    }
                    return closed;
                });
    }

    /** What is known of a session; nothing if it is unknown. */
    public CompletableFuture<Optional<SessionRecord>> describe(UUID id) {
        return store.read(transaction -> keys.record(transaction, id));
    }

    /** Sessions after one, in the order of their ids. */
    public CompletableFuture<List<KeyValue>> page(Optional<UUID> after) {
        Range all = keys.records.range();
        byte[] from =
                after.map(id -> ByteArrayUtil.keyAfter(keys.records.key(id))).orElse(all.begin);
        return store.read(transaction -> transaction
                .getRange(from, all.end, PAGE, false, StreamingMode.WANT_ALL)
                .asList());
    }

    /** Whether {@link #page} may have more. */
    public static boolean isFull(List<KeyValue> page) {
        return page.size() == PAGE;
    }

    /** What a row of {@link #page} holds. */
    public SessionRecord decode(KeyValue row) {
        return keys.records.decode(row.getValue());
    }

    /** Whose row it is. */
    public UUID idOf(KeyValue row) {
        return keys.records.elements(row.getKey()).getUUID(0);
    }

    /** Ends what belongs to a client whose lease is over: what is open fails, what it has closed goes on with that. */
    public CompletableFuture<Void> clientEnded(UUID client) {
        return store.read(transaction -> transaction
                        .getRange(keys.owned.range(client), PAGE, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> {
                    CompletableFuture<?>[] closed = found.stream()
                            .map(pair -> disown(
                                    client, keys.owned.elements(pair.getKey()).getUUID(1)))
                            .toArray(CompletableFuture[]::new);
                    return CompletableFuture.allOf(closed)
                            .thenCompose(unused -> found.size() < PAGE
                                    ? CompletableFuture.completedFuture(null)
                                    : clientEnded(client));
                });
    }

    /** Ends what belongs to clients whose end nobody has acted upon: what a crash has left. */
    public CompletableFuture<Void> releaseForgotten() {
        return releaseForgotten(keys.owned.range());
    }

    private CompletableFuture<Void> releaseForgotten(Range left) {
        record Next(UUID client, boolean isOver) {}
        return store.read(transaction -> transaction.getRange(left, 1).asList().thenCompose(found -> {
                    if (found.isEmpty()) {
                        return CompletableFuture.completedFuture(Optional.<Next>empty());
                    }
                    UUID client = keys.owned.elements(found.getFirst().getKey()).getUUID(0);
                    return clients.one(transaction, client)
                            .thenApply(lease -> Optional.of(new Next(client, lease.isEmpty())));
                }))
                .thenComposeAsync(
                        found -> {
                            if (found.isEmpty()) {
                                return CompletableFuture.completedFuture(null);
                            }
                            UUID client = found.get().client();
                            CompletableFuture<Void> ended = found.get().isOver()
                                    ? clientEnded(client)
                                    : CompletableFuture.completedFuture(null);
                            return ended.thenCompose(
                                    unused -> releaseForgotten(new Range(keys.owned.range(client).end, left.end)));
                        },
                        store.environment().executor());
    }

    private CompletableFuture<?> disown(UUID client, UUID id) {
        use();
        return store.runPlain(transaction -> keys.record(transaction, id).thenCompose(found -> {
            keys.owned.clear(transaction, client, id);
            return found.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : disown(transaction, id, found.get()).thenApply(unused -> null);
        }));
    }

    private CompletableFuture<?> disown(Transaction transaction, UUID id, SessionRecord session) {
        if (session.getState() == SessionState.SESSION_STATE_CLOSING) {
            // Its owner has closed it and need not wait for it.
            return CompletableFuture.completedFuture(null);
        }
        boolean isSuspended = session.getState() == SessionState.SESSION_STATE_SUSPENDED;
        if (!isSuspended && session.getState() != SessionState.SESSION_STATE_OPEN) {
            return closing.close(transaction, id, session, true);
        }
        SessionRecord freed = isSuspended ? keys.releaseDead(transaction, id, session) : session;
        SessionRecord failed =
                SessionFailing.ownerLost().of(freed, store.environment().wallClockMillis());
        keys.setOver(transaction, id, failed);
        keys.setEnding(transaction, id, failed);
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Ends what has waited for too long, and forgets what was over long ago and holds nothing any more. Workers that
     * were not asked for sessions lately leave the store alone.
     */
    public CompletableFuture<Void> tidy() {
        long now = store.environment().nanoTime();
        if (!used || now - usedNanos > TIDY_NANOS) {
            return CompletableFuture.completedFuture(null);
        }
        return store.read(transaction -> transaction
                        .getRange(keys.waiting.range(), SessionGrants.WAITING_MAX, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> CompletableFuture.allOf(found.stream()
                        .map(pair -> keys.waiting.elements(pair.getKey()).getUUID(2))
                        .map(this::expireLate)
                        .toArray(CompletableFuture[]::new)))
                .thenCompose(unused -> forget(new Range(
                        keys.over.range().begin,
                        keys.over.key(store.environment().wallClockMillis() - RETENTION_MILLIS))));
    }

    private CompletableFuture<?> expireLate(UUID id) {
        return describe(id).thenCompose(found -> {
            long late = store.environment().wallClockMillis() - SessionGrants.LATE_MILLIS;
            return found.filter(session -> waits(session) && session.getCreationDeadlineWallMillis() < late)
                            .isPresent()
                    ? expire(id)
                    : CompletableFuture.completedFuture(null);
        });
    }

    /** @param left what was over long ago, behind what was looked at and is kept */
    private CompletableFuture<Void> forget(Range left) {
        return store.runPlain(transaction -> transaction
                        .getRange(left, PAGE, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(found -> AsyncUtil.whenAll(found.stream()
                                        .map(pair -> forget(transaction, pair.getKey()))
                                        .toList())
                                .thenApply(unused -> found)))
                .thenCompose(found -> found.size() < PAGE
                        ? CompletableFuture.completedFuture(null)
                        : forget(
                                new Range(ByteArrayUtil.keyAfter(found.getLast().getKey()), left.end)));
    }

    /** Keeps what still has slots, or futures whose code may run: they are let go by what the record says. */
    private CompletableFuture<Void> forget(Transaction transaction, byte[] overKey) {
        UUID id = keys.over.elements(overKey).getUUID(1);
        return keys.record(transaction, id)
                .thenCombine(transaction.getRange(keys.futures.range(id), 1).asList(), (session, futures) -> {
                    if (futures.isEmpty()
                            && session.filter(one -> one.getSlotsCount() > 0).isEmpty()) {
                        keys.records.clear(transaction, id);
                        keys.over.clearRow(transaction, overKey);
                    }
                    return null;
                });
    }
}
