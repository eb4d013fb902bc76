/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** What becomes of a session that somebody ends, whatever its state; what is over stays as it is. Immutable. */
final class SessionClosing {

    private final SessionKeys keys;
    private final LongSupplier wallMillis;

    SessionClosing(SessionKeys keys, LongSupplier wallMillis) {
        this.keys = keys;
        this.wallMillis = wallMillis;
    }

    /** @throws IllegalArgumentException if this is not the owner's secret; none is that of an administrator */
    static void requireOwner(UUID id, SessionRecord session, ByteString ownerSecret) {
        if (!ownerSecret.isEmpty() && !ownerSecret.equals(session.getOwnerSecret())) {
            throw new IllegalArgumentException("This reference may not close the session " + id
                    + ": it is not the owner's, or one of another session.");
        }
    }

    /**
     * Ends it.
     *
     * @param cancel whether its futures are cancelled rather than waited for
     * @return what it is then, which is written
     */
    CompletableFuture<SessionRecord> close(Transaction transaction, UUID id, SessionRecord session, boolean cancel) {
        return switch (session.getState()) {
            case SESSION_STATE_WAITING -> {
                SessionRecord over = session.toBuilder()
                        .setState(SessionState.SESSION_STATE_CANCELLED)
                        .setEndedWallMillis(wallMillis.getAsLong())
                        .build();
                keys.setOver(transaction, id, over);
                yield unqueue(transaction, id, session).thenApply(unused -> over);
            }
            case SESSION_STATE_SUSPENDED -> {
                SessionRecord over = keys.releaseDead(transaction, id, session).toBuilder()
                        .setState(SessionState.SESSION_STATE_CLOSED)
                        .setEndedWallMillis(wallMillis.getAsLong())
                        .build();
                keys.setOver(transaction, id, over);
                keys.setEnding(transaction, id, over);
                yield CompletableFuture.completedFuture(over);
            }
            default -> {
                SessionRecord closing = closing(session, cancel);
                if (!closing.equals(session)) {
                    keys.setEnding(transaction, id, closing);
                }
                yield CompletableFuture.completedFuture(closing);
            }
        };
    }

    /** What an open session, or one that closes, is from now on; the same where nothing changes. */
    static SessionRecord closing(SessionRecord session, boolean cancel) {
        return switch (session.getState()) {
            case SESSION_STATE_OPEN ->
                session.toBuilder()
                        .setState(SessionState.SESSION_STATE_CLOSING)
                        .setCancel(cancel)
                        .build();
            // What was handed over is the business of whoever took it.
            case SESSION_STATE_CLOSING ->
                cancel && !session.getCancel() && session.getSuccessor().isEmpty()
                        ? session.toBuilder().setCancel(true).build()
                        : session;
            default -> session;
        };
    }

    /** Takes a session out of the queue; one that is far behind is passed over when its turn comes. */
    CompletableFuture<Void> unqueue(Transaction transaction, UUID id, SessionRecord session) {
        return transaction
                .snapshot()
                .getRange(
                        keys.waiting.range((long) -session.getPriority()),
                        SessionGrants.WAITING_MAX,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenAccept(found -> found.stream()
                        .map(KeyValue::getKey)
                        .filter(key -> keys.waiting.elements(key).getUUID(2).equals(id))
                        .forEach(key -> keys.waiting.clearRow(transaction, key)));
    }
}
