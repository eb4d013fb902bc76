/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.List;
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
    private final SessionHandOver handOver;
    private final Liveness liveness;
    private final Clients clients;
    private final SessionHolder holder;
    private final String seat;
    private volatile boolean used;
    private volatile long usedNanos;

    /** @param holder the sessions of this worker, and {@code seat} where that is */
    public SessionRequests(FutureStore store, Liveness liveness, Clients clients, SessionHolder holder, String seat) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.handOver = new SessionHandOver(keys);
        this.liveness = liveness;
        this.clients = clients;
        this.holder = holder;
        this.seat = seat;
    }

    /**
     * Records a session, and waits for a while until it does not wait any more. One whose id is known is not recorded
     * again.
     *
     * @throws IllegalArgumentException if the request makes no sense, or no worker has such slots
     */
    public CompletableFuture<SessionRecord> open(OpenSessionRequest request) {
        use();
        UUID id = SessionIds.of(request.getId());
        SessionRecord wanted =
                SessionDemands.checked(request, store.environment().wallClockMillis());
        List<Member> present = present();
        if (!request.getWaitForCapacity() && request.getPredecessor().isEmpty()) {
            SessionDemands.requireCapacity(wanted.getDemand(), present);
        }
        long pollMillis = Math.min(POLL_MILLIS, request.getCreationTimeoutMillis());
        long deadline = store.environment().nanoTime() + pollMillis * 1_000_000;
        Optional<String> chosen = choose(wanted.getDemand(), present);
        return store.runPlain(transaction -> record(transaction, id, wanted, request, chosen))
                .thenCompose(unused -> {
                    if (chosen.filter(seat::equals).isPresent()) {
                        holder.poke();
                    }
                    return await(id, deadline, Optional.empty());
                });
    }

    private void use() {
        usedNanos = store.environment().nanoTime();
        used = true;
    }

    private List<Member> present() {
        return liveness.latest().stream()
                .filter(member -> member.isPresent() && !member.ended())
                .toList();
    }

    /** The worker that is to look: one that had such slots free as far as is known, else one that has them. */
    private Optional<String> choose(SlotDemand demand, List<Member> present) {
        List<Member> healthy = present.stream()
                .filter(member -> member.state() == WorkerState.HEALTHY && SlotCapacity.fits(member, demand))
                .toList();
        List<Member> free = healthy.stream()
                .filter(member -> SlotCapacity.hasFree(member, demand))
                .toList();
        List<Member> among = free.isEmpty() ? healthy : free;
        return among.isEmpty()
                ? Optional.empty()
                : Optional.of(among.get(store.environment().random().nextInt(among.size()))
                        .seat());
    }

    private CompletableFuture<Void> record(
            Transaction transaction,
            UUID id,
            SessionRecord wanted,
            OpenSessionRequest request,
            Optional<String> chosen) {
        return keys.record(transaction, id).thenCompose(known -> {
            if (known.isPresent()) {
                return CompletableFuture.completedFuture(null);
            }
            return refuseNested(transaction, request.getParent())
                    .thenCompose(unused -> requireOwner(transaction, wanted))
                    .thenCompose(unused -> request.getPredecessor().isEmpty()
                            ? CompletableFuture.completedFuture(wanted)
                            : handOver.begin(transaction, id, wanted, request))
                    .thenAccept(recorded -> {
                        keys.set(transaction, id, recorded);
                        if (request.hasCheck()) {
                            keys.setCheck(transaction, request.getCheck());
                        }
                        if (recorded.getPredecessor().isEmpty()) {
                            keys.queue(transaction, id, recorded);
                        }
                        if (!wanted.getOwner().isEmpty()) {
                            transaction.set(keys.owned.key(SessionIds.of(wanted.getOwner()), id), FutureKeys.PRESENT);
                        }
                        chosen.filter(one -> !one.equals(seat)).ifPresent(one -> keys.wake(transaction, one));
                    });
        });
    }

    private CompletableFuture<Void> refuseNested(Transaction transaction, ByteString parent) {
        if (parent.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.keys()
                .record(transaction.snapshot(), Ids.of(parent))
                .thenCompose(future -> {
                    ByteString outer = future.map(
                                    one -> one.getSchedulingSpec().getSession().getId())
                            .orElse(ByteString.EMPTY);
                    return outer.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.<SessionRecord>empty())
                            : keys.record(transaction, SessionIds.of(outer));
                })
                .thenAccept(outer -> {
                    if (outer.filter(session -> session.getState() == SessionState.SESSION_STATE_OPEN)
                            .isPresent()) {
                        throw new IllegalArgumentException("The task runs in a session that is open, and can not open"
                                + " another one. Use that one, close it first, or open the second one outside.");
                    }
                });
    }

    private CompletableFuture<Void> requireOwner(Transaction transaction, SessionRecord wanted) {
        if (wanted.getOwner().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return clients.one(transaction, SessionIds.of(wanted.getOwner())).thenAccept(client -> {
            if (client.isEmpty()) {
                throw new IllegalArgumentException(
                        "The lease of the client that is to own the session is over. Connect again.");
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
                                    choose(look.record().orElseThrow().getDemand(), present())),
                            store.environment().executor());
        });
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
            return unqueue(transaction, id, session).thenApply(unused -> over);
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

    /** Takes a session out of the queue; one that is far behind is passed over when its turn comes. */
    private CompletableFuture<Void> unqueue(Transaction transaction, UUID id, SessionRecord session) {
        return transaction
                .snapshot()
                .getRange(
                        keys.waiting.range((long) -session.getPriority()),
                        SessionRound.WAITING_MAX,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenAccept(found -> found.stream()
                        .map(KeyValue::getKey)
                        .filter(key -> keys.waiting.elements(key).getUUID(2).equals(id))
                        .forEach(transaction::clear));
    }

    /**
     * Ends a session; what is over stays as it is.
     *
     * @param cancel whether its futures are cancelled rather than waited for
     * @return what it is then; nothing if it is not known
     */
    public CompletableFuture<Optional<SessionRecord>> close(UUID id, boolean cancel, ByteString ownerSecret) {
        use();
        return store.runPlain(transaction -> keys.record(transaction, id)
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedFuture(found)
                                : close(transaction, id, found.get(), cancel, ownerSecret)
                                        .thenApply(Optional::of)))
                .thenApply(closed -> {
                    if (closed.filter(session -> session.getSeat().equals(seat)).isPresent()) {
                        holder.poke();
                    }
                    return closed;
                });
    }

    private CompletableFuture<SessionRecord> close(
            Transaction transaction, UUID id, SessionRecord session, boolean cancel, ByteString ownerSecret) {
        if (!ownerSecret.isEmpty() && !ownerSecret.equals(session.getOwnerSecret())) {
            throw new IllegalArgumentException("This reference may not close the session " + id
                    + ": it is not the owner's, or one of another session.");
        }
        SessionRecord.Builder changed = session.toBuilder();
        switch (session.getState()) {
            case SESSION_STATE_WAITING -> {
                changed.setState(SessionState.SESSION_STATE_CANCELLED)
                        .setEndedWallMillis(store.environment().wallClockMillis());
                keys.setOver(transaction, id, changed.build());
                return unqueue(transaction, id, session).thenApply(unused -> changed.build());
            }
            case SESSION_STATE_OPEN -> {
                changed.setState(SessionState.SESSION_STATE_CLOSING).setCancel(cancel);
                keys.setEnding(transaction, id, changed.build());
            }
            case SESSION_STATE_SUSPENDED -> {
                SessionRecord over = keys.releaseDead(transaction, id, session).toBuilder()
                        .setState(SessionState.SESSION_STATE_CLOSED)
                        .setEndedWallMillis(store.environment().wallClockMillis())
                        .build();
                keys.setOver(transaction, id, over);
                keys.setEnding(transaction, id, over);
                return CompletableFuture.completedFuture(over);
            }
            case SESSION_STATE_CLOSING -> {
                // What was handed over is the business of whoever took it.
                if (cancel && !session.getCancel() && session.getSuccessor().isEmpty()) {
                    keys.setEnding(transaction, id, changed.setCancel(true).build());
                }
            }
            default -> {}
        }
        return CompletableFuture.completedFuture(changed.build());
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

    /** Ends what belongs to a client whose lease is over: what is open fails. */
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

    private CompletableFuture<?> disown(UUID client, UUID id) {
        use();
        return store.runPlain(transaction -> keys.record(transaction, id).thenCompose(found -> {
            transaction.clear(keys.owned.key(client, id));
            return found.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : disown(transaction, id, found.get()).thenApply(unused -> null);
        }));
    }

    private CompletableFuture<?> disown(Transaction transaction, UUID id, SessionRecord session) {
        boolean isSuspended = session.getState() == SessionState.SESSION_STATE_SUSPENDED;
        if (!isSuspended && session.getState() != SessionState.SESSION_STATE_OPEN) {
            return close(transaction, id, session, true, ByteString.EMPTY);
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
                        .getRange(keys.waiting.range(), SessionRound.WAITING_MAX, false, StreamingMode.WANT_ALL)
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
            long late = store.environment().wallClockMillis() - SessionRound.LATE_MILLIS;
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
                        .thenCompose(found -> CompletableFuture.allOf(found.stream()
                                        .map(pair -> forget(transaction, pair.getKey()))
                                        .toArray(CompletableFuture[]::new))
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
                        transaction.clear(keys.records.key(id));
                        transaction.clear(overKey);
                    }
                    return null;
                });
    }
}
