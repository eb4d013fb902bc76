/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.sessions.v1.SessionFailureReason;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the sessions of incarnations that are dead. Their slots become free at once: only a later incarnation of the
 * same seat grants them, and that exists once the former one can run nothing any more.
 */
public final class SessionLosses {

    private static final Logger LOG = LoggerFactory.getLogger(SessionLosses.class);

    private static final int PAGE = 100;

    private static final CompletableFuture<Integer> NONE = CompletableFuture.completedFuture(0);
    private static final CompletableFuture<Integer> ONE = CompletableFuture.completedFuture(1);

    private final FutureStore store;
    private final SessionKeys keys;
    private final SessionHandOver handOver;
    private final Members members;
    private final Liveness liveness;
    private final SessionFutures futures;

    public SessionLosses(FutureStore store, Members members, Liveness liveness, SessionFutures futures) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.handOver = new SessionHandOver(keys);
        this.members = members;
        this.liveness = liveness;
        this.futures = futures;
    }

    /** Ends what incarnations of a seat up to this one hold. Nothing happens where that turns out to be alive. */
    public CompletableFuture<Void> release(String seat, long incarnation) {
        return fail(seat, incarnation, 0)
                .thenCompose(unused -> store.read(transaction -> over(transaction, seat)))
                .thenCompose(over -> end(seat, over));
    }

    private CompletableFuture<Void> fail(String seat, long incarnation, int before) {
        return store.runPlain(transaction -> members.one(transaction, seat)
                        .thenCompose(member -> isDead(member, seat, incarnation)
                                ? failPage(transaction, seat, incarnation)
                                : CompletableFuture.completedFuture(0)))
                .thenCompose(failed -> {
                    if (failed > 0) {
                        return fail(seat, incarnation, before + failed);
                    }
                    if (before > 0) {
                        LOG.info(
                                "sessions of a dead worker have failed otherSeat={} otherIncarnation={} sessions={}",
                                seat,
                                incarnation,
                                before);
                    }
                    return CompletableFuture.completedFuture(null);
                });
    }

    private boolean isDead(Optional<Member> member, String seat, long incarnation) {
        return member.isEmpty()
                || member.get().incarnation() > incarnation
                || member.get().state() == WorkerState.MUST_DIE
                || liveness.isDead(seat, incarnation);
    }

    private CompletableFuture<Integer> failPage(Transaction transaction, String seat, long incarnation) {
        return transaction
                .getRange(keys.held.range(seat), PAGE, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> {
                    List<CompletableFuture<Integer>> failed = new ArrayList<>();
                    for (KeyValue pair : found) {
                        UUID id = keys.held.elements(pair.getKey()).getUUID(1);
                        failed.add(keys.record(transaction, id)
                                .thenCompose(record -> failOne(transaction, id, record, seat, incarnation)));
                    }
                    return CompletableFuture.allOf(failed.toArray(CompletableFuture[]::new))
                            .thenApply(unused -> failed.stream()
                                    .mapToInt(CompletableFuture::join)
                                    .sum());
                });
    }

    private CompletableFuture<Integer> failOne(
            Transaction transaction, UUID id, Optional<SessionRecord> record, String seat, long incarnation) {
        if (record.isEmpty()) {
            transaction.clear(keys.held.key(seat, id));
            return ONE;
        }
        if (record.get().getIncarnation() > incarnation) {
            return NONE;
        }
        long now = store.environment().wallClockMillis();
        SessionRecord freed = keys.release(transaction, id, record.get());
        if (SessionIds.isOver(freed.getState())) {
            keys.setEnding(transaction, id, freed);
            return ONE;
        }
        SessionRecord.Builder over = freed.toBuilder()
                .setEndedWallMillis(now)
                .setState(SessionState.SESSION_STATE_FAILED)
                .setReason(SessionFailureReason.SESSION_FAILURE_REASON_WORKER_LOST)
                .setMessage("its worker " + seat + " (incarnation " + freed.getIncarnation() + ") was lost.");
        keys.setOver(transaction, id, over.build());
        keys.setEnding(transaction, id, over.build());
        return handOver.waiting(transaction, freed).thenApply(found -> {
            found.ifPresent(waiting -> handOver.fail(transaction, freed, waiting, over.getReason(), now));
            return 1;
        });
    }

    private CompletableFuture<Map<UUID, SessionRecord>> over(ReadTransaction transaction, String seat) {
        Map<UUID, SessionRecord> over = new LinkedHashMap<>();
        return transaction.getRange(keys.ending.range(seat)).asList().thenCompose(found -> {
            List<CompletableFuture<Void>> reads = new ArrayList<>();
            for (KeyValue pair : found) {
                UUID id = keys.ending.elements(pair.getKey()).getUUID(1);
                reads.add(keys.record(transaction, id).thenAccept(record -> record.filter(
                                session -> SessionIds.isOver(session.getState()) && session.getSlotsCount() == 0)
                        .ifPresent(session -> {
                            synchronized (over) {
                                over.put(id, session);
                            }
                        })));
            }
            return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                    .thenApply(unused -> over);
        });
    }

    private CompletableFuture<Void> end(String seat, Map<UUID, SessionRecord> over) {
        CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);
        for (Map.Entry<UUID, SessionRecord> one : over.entrySet()) {
            ended = ended.thenCompose(unused -> futures.end(one.getKey(), one.getValue()))
                    .thenCompose(unused -> store.runPlain(transaction -> transaction
                            .getRange(keys.futures.range(one.getKey()), 1)
                            .asList()
                            .thenAccept(left -> {
                                if (left.isEmpty()) {
                                    transaction.clear(keys.ending.key(seat, one.getKey()));
                                }
                            })));
        }
        return ended;
    }
}
