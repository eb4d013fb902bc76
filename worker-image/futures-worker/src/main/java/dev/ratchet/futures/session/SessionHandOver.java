/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Gives all slots of one session to another one. One transaction begins it: the former takes no futures from then on,
 * and names its successor. One ends it, once none of the former's code runs: each slot goes from one to the other with
 * a higher token, so there is no moment at which somebody else could take it. Immutable.
 */
final class SessionHandOver {

    private final SessionKeys keys;

    SessionHandOver(SessionKeys keys) {
        this.keys = keys;
    }

    /**
     * Begins it.
     *
     * @return the successor's record, which is not written yet
     * @throws IllegalArgumentException if the former is not open, or the request does not come from its owner
     */
    CompletableFuture<SessionRecord> begin(
            Transaction transaction, UUID successor, SessionRecord wanted, OpenSessionRequest request) {
        UUID id = SessionIds.of(request.getPredecessor());
        return keys.record(transaction, id).thenApply(found -> {
            SessionRecord former = found.orElseThrow(() ->
                    new IllegalArgumentException("The session " + id + " is not known in this cluster, and can not be"
                            + " handed over: it ended long ago, or its reference is of another cluster."));
            if (!former.getOwnerSecret().equals(request.getPredecessorSecret())) {
                throw new IllegalArgumentException("This reference may not hand over the session " + id
                        + ": it is not the owner's, or one of another session.");
            }
            if (former.getState() != SessionState.SESSION_STATE_OPEN) {
                throw new IllegalArgumentException(
                        SessionFence.told(former, "The session " + id) + " Only an open session is handed over.");
            }
            keys.setEnding(
                    transaction,
                    id,
                    former.toBuilder()
                            .setState(SessionState.SESSION_STATE_CLOSING)
                            .setCancel(request.getCancelPredecessor())
                            .setSuccessor(SessionIds.bytes(successor))
                            .build());
            return wanted.toBuilder()
                    .setDemand(former.getDemand())
                    .setPredecessor(request.getPredecessor())
                    .build();
        });
    }

    /** The session that waits for the slots of this one, if one still does. */
    CompletableFuture<Optional<SessionRecord>> waiting(Transaction transaction, SessionRecord former) {
        return former.getSuccessor().isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : keys.record(transaction, SessionIds.of(former.getSuccessor()))
                        .thenApply(found ->
                                found.filter(session -> session.getState() == SessionState.SESSION_STATE_WAITING));
    }

    /**
     * Ends it: the successor is open and has the slots.
     *
     * @return the successor's record, which is written
     */
    CompletableFuture<SessionRecord> finish(
            Transaction transaction, SessionRecord former, SessionRecord waiting, long nowMillis) {
        ByteString successor = former.getSuccessor();
        SessionRecord.Builder open = waiting.toBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setSeat(former.getSeat())
                .setIncarnation(former.getIncarnation())
                .setStoreGeneration(former.getStoreGeneration())
                .setToken(waiting.getToken() + 1)
                .setOpenedWallMillis(nowMillis);
        CompletableFuture<Void> given = CompletableFuture.completedFuture(null);
        for (HeldSlot slot : former.getSlotsList()) {
            given = given.thenCompose(unused -> keys.grant(transaction, successor, former.getSeat(), slot))
                    .thenAccept(open::addSlots);
        }
        return given.thenApply(unused -> {
            UUID id = SessionIds.of(successor);
            SessionRecord record = open.build();
            keys.set(transaction, id, record);
            keys.held.set(transaction, FutureKeys.PRESENT, former.getSeat(), id);
            return record;
        });
    }

    /** The successor fails together with what it should have taken over. */
    void fail(
            Transaction transaction,
            SessionRecord former,
            SessionRecord waiting,
            SessionFailing failing,
            long nowMillis) {
        keys.setOver(
                transaction,
                SessionIds.of(former.getSuccessor()),
                SessionFailing.withFormer(waiting, failing).of(waiting, nowMillis).toBuilder()
                        .setSeat(former.getSeat())
                        .build());
    }
}
