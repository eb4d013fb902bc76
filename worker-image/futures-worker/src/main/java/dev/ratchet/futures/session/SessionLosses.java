/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the sessions of incarnations that are dead. Their slots become free at once: only a later incarnation of the
 * same seat grants them, and that exists once the former one can run nothing any more.
 */
public final class SessionLosses {

    private static final Logger LOG = LoggerFactory.getLogger(SessionLosses.class);

    private static final int PAGE = 100;

    private static final long FAILED = 0;

    private static final CompletableFuture<Long> ENDED = CompletableFuture.completedFuture(FAILED);

    private final FutureStore store;
    private final SessionKeys keys;
    private final SessionHandOver handOver;
    private final HeldSessions sessions;
    private final Members members;
    private final Liveness liveness;
    private final SessionFutures futures;

    public SessionLosses(FutureStore store, Members members, Liveness liveness, SessionFutures futures) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.handOver = new SessionHandOver(keys);
        this.sessions = new HeldSessions(store);
        this.members = members;
        this.liveness = liveness;
        this.futures = futures;
    }

    /**
     * One transaction's result.
     *
     * @param next where the next one begins among what is held; null after the last
     * @param keptUntilMillis when the first of those is to be looked at again that wait for the seat; none:
     *     {@link Long#MAX_VALUE}
     */
    private record Page(int failed, byte @Nullable [] next, long keptUntilMillis) {}

    /**
     * Ends what incarnations of a seat up to this one hold, and later by itself what is still to wait for the seat.
     * Nothing happens where that turns out to be alive.
     *
     * @return whether nothing is kept
     */
    public CompletableFuture<Boolean> release(String seat, long incarnation) {
        return fail(seat, incarnation, keys.held.range(seat).begin, new Page(0, null, Long.MAX_VALUE))
                .thenCompose(keptUntil ->
                        endOver(seat, keys.ending.range(seat).begin).thenApply(unused -> keptUntil == Long.MAX_VALUE));
    }

    private CompletableFuture<Void> endOver(String seat, byte[] from) {
        return store.read(transaction -> over(transaction, seat, from))
                .thenCompose(over -> end(seat, over.sessions()).thenCompose(unused -> {
                    byte[] next = over.next();
                    return next == null ? CompletableFuture.<Void>completedFuture(null) : endOver(seat, next);
                }));
    }

    private CompletableFuture<Long> fail(String seat, long incarnation, byte[] from, Page before) {
        return store.runPlain(transaction -> members.one(transaction, seat)
                        .thenCompose(member -> isDead(member, seat, incarnation)
                                ? failPage(transaction, seat, incarnation, from, stillMillis(member, incarnation))
                                : CompletableFuture.completedFuture(new Page(0, null, Long.MAX_VALUE))))
                .thenCompose(page -> {
                    Page all = new Page(
                            before.failed() + page.failed(),
                            page.next(),
                            Math.min(before.keptUntilMillis(), page.keptUntilMillis()));
                    byte[] next = page.next();
                    if (next != null) {
                        return fail(seat, incarnation, next, all);
                    }
                    if (all.failed() > 0) {
                        LOG.info(
                                "sessions of a dead worker have failed otherSeat={} otherIncarnation={} sessions={}",
                                seat,
                                incarnation,
                                all.failed());
                    }
                    lookAgain(seat, incarnation, all.keptUntilMillis());
                    return CompletableFuture.completedFuture(all.keptUntilMillis());
                });
    }

    private void lookAgain(String seat, long incarnation, long atMillis) {
        if (atMillis < Long.MAX_VALUE) {
            long millis = Math.max(1, atMillis - store.environment().wallClockMillis() + 1);
            var unused = store.environment().schedule(millis, () -> {
                var unusedRelease = release(seat, incarnation).exceptionally(failure -> {
                    LOG.warn("sessions of a lost worker are looked at by the next sweep otherSeat={}", seat, failure);
                    return false;
                });
            });
        }
    }

    private boolean isDead(Optional<Member> member, String seat, long incarnation) {
        return member.isEmpty()
                || member.get().incarnation() > incarnation
                || member.get().state() == WorkerState.MUST_DIE
                || liveness.isDead(seat, incarnation);
    }

    /** For how long what is thought to be dead may still run code, at most; 0 once it has ended for certain. */
    private static long stillMillis(Optional<Member> member, long incarnation) {
        return member.filter(one -> one.incarnation() <= incarnation && !one.ended())
                .map(Member::observerTtlMillis)
                .orElse(0L);
    }

    private CompletableFuture<Page> failPage(
            Transaction transaction, String seat, long incarnation, byte[] from, long stillMillis) {
        return transaction
                .getRange(from, keys.held.range(seat).end, PAGE, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCombine(StoreRecord.generation(transaction, store.keys().keyspace()), Found::new)
                .thenCompose(page -> {
                    List<KeyValue> found = page.held();
                    List<CompletableFuture<Long>> failed = new ArrayList<>();
                    for (KeyValue pair : found) {
                        UUID id = keys.held.elements(pair.getKey()).getUUID(1);
                        failed.add(keys.record(transaction, id)
                                .thenCompose(record -> failOne(
                                        transaction,
                                        id,
                                        record,
                                        new Loss(seat, incarnation, page.generation(), stillMillis))));
                    }
                    return AsyncUtil.whenAll(failed)
                            .thenApply(unused -> new Page(
                                    (int) failed.stream()
                                            .filter(one -> one.join() == FAILED)
                                            .count(),
                                    found.size() < PAGE
                                            ? null
                                            : ByteArrayUtil.keyAfter(
                                                    found.getLast().getKey()),
                                    failed.stream()
                                            .mapToLong(CompletableFuture::join)
                                            .filter(until -> until != FAILED)
                                            .min()
                                            .orElse(Long.MAX_VALUE)));
                });
    }

    private record Found(List<KeyValue> held, long generation) {}

    private record Loss(String seat, long incarnation, long generation, long stillMillis) {}

    /** @return until when it waits for the seat; {@link #FAILED}, or {@link Long#MAX_VALUE} where it is another's */
    private CompletableFuture<Long> failOne(
            Transaction transaction, UUID id, Optional<SessionRecord> record, Loss loss) {
        if (record.isEmpty()) {
            keys.held.clear(transaction, loss.seat(), id);
            return ENDED;
        }
        if (record.get().getIncarnation() > loss.incarnation()) {
            return CompletableFuture.completedFuture(Long.MAX_VALUE);
        }
        long now = store.environment().wallClockMillis();
        boolean restored = record.get().getStoreGeneration() != loss.generation();
        long keptUntil = keptUntil(record.get(), now);
        if (keptUntil > now && !restored) {
            if (record.get().getState() == SessionState.SESSION_STATE_OPEN) {
                keys.set(
                        transaction,
                        id,
                        record.get().toBuilder()
                                .setState(SessionState.SESSION_STATE_SUSPENDED)
                                .setSuspendedUntilWallMillis(keptUntil)
                                .build());
            }
            return CompletableFuture.completedFuture(keptUntil);
        }
        boolean isKept = hasHostSlots(record.get()) && loss.stillMillis() > 0;
        if (isKept && SessionIds.isOver(record.get().getState())) {
            long until = record.get().getSuspendedUntilWallMillis();
            if (until > now) {
                return CompletableFuture.completedFuture(until);
            }
            isKept = until == 0;
        }
        return isKept
                ? end(
                                transaction,
                                id,
                                keepHostSlots(transaction, record.get(), now + loss.stillMillis()),
                                restored,
                                now)
                        .thenApply(unused -> now + loss.stillMillis())
                : end(transaction, id, keys.release(transaction, id, record.get()), restored, now)
                        .thenApply(unused -> FAILED);
    }

    private static boolean hasHostSlots(SessionRecord session) {
        return session.getSlotsList().stream().anyMatch(slot -> !slot.getHost().isEmpty());
    }

    /** Other workers of the host would grant them at once, and the code of the session may still run there. */
    private SessionRecord keepHostSlots(Transaction transaction, SessionRecord session, long untilMillis) {
        return keys.releaseOwn(transaction, session).toBuilder()
                .setSuspendedUntilWallMillis(untilMillis)
                .build();
    }

    private CompletableFuture<Void> end(
            Transaction transaction, UUID id, SessionRecord freed, boolean restored, long now) {
        if (SessionIds.isOver(freed.getState())) {
            keys.setEnding(transaction, id, freed);
            return CompletableFuture.completedFuture(null);
        }
        SessionFailing failing = restored ? SessionFailing.storeRestored() : SessionFailing.notRebound(freed, now);
        SessionRecord over = failing.of(freed, now);
        keys.setOver(transaction, id, over);
        keys.setEnding(transaction, id, over);
        return handOver.waiting(transaction, freed)
                .thenAccept(
                        found -> found.ifPresent(waiting -> handOver.fail(transaction, freed, waiting, failing, now)));
    }

    /** Until when a session waits for its seat; 0 if it does not. */
    private static long keptUntil(SessionRecord session, long nowMillis) {
        return switch (session.getState()) {
            case SESSION_STATE_SUSPENDED -> session.getSuspendedUntilWallMillis();
            case SESSION_STATE_OPEN ->
                session.getReestablishMillis() == 0
                        ? 0
                        : Math.min(nowMillis + session.getReestablishMillis(), SessionFailing.expiryMillis(session));
            default -> 0;
        };
    }

    /** Sessions that are over and still end, and where there are others; null for none. */
    private record Over(Map<UUID, SessionRecord> sessions, byte @Nullable [] next) {}

    private CompletableFuture<Over> over(ReadTransaction transaction, String seat, byte[] from) {
        return transaction
                .getRange(from, keys.ending.range(seat).end, PAGE, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> sessions.records(
                                transaction,
                                found.stream()
                                        .map(pair -> keys.ending
                                                .elements(pair.getKey())
                                                .getUUID(1))
                                        .toList())
                        .thenApply(records -> {
                            records.values().removeIf(session -> !SessionIds.isOver(session.getState()));
                            return new Over(
                                    records,
                                    found.size() < PAGE
                                            ? null
                                            : ByteArrayUtil.keyAfter(
                                                    found.getLast().getKey()));
                        }));
    }

    private CompletableFuture<Void> end(String seat, Map<UUID, SessionRecord> over) {
        CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);
        for (Map.Entry<UUID, SessionRecord> one : over.entrySet()) {
            ended = ended.thenCompose(unused -> futures.end(one.getKey(), one.getValue()))
                    .thenCompose(unused -> store.runPlain(transaction -> transaction
                            .getRange(keys.futures.range(one.getKey()), 1)
                            .asList()
                            .thenAccept(left -> {
                                if (left.isEmpty() && one.getValue().getSlotsCount() == 0) {
                                    keys.ending.clear(transaction, seat, one.getKey());
                                }
                            })));
        }
        return ended;
    }
}
