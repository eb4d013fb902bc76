/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Clients;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Sessions that clients ask for: what is looked at before one is recorded, and what is written then. Immutable. */
final class NewSessions {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final FutureStore store;
    private final SessionKeys keys;
    private final SessionHandOver handOver;
    private final Clients clients;

    NewSessions(FutureStore store, Clients clients) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.handOver = new SessionHandOver(keys);
        this.clients = clients;
    }

    /**
     * A session that is asked for.
     *
     * @param record what it is if it is known, else what it is to be while it waits
     */
    record Wanted(UUID id, OpenSessionRequest request, SessionRecord record, boolean isKnown) {}

    /**
     * Looks at it, with conflict. What this writes for a session that takes over another one is to be committed
     * together with {@link #write}.
     *
     * @param owners of this transaction
     * @return fails with IllegalArgumentException, and nothing written, if the session is refused
     */
    CompletableFuture<Wanted> look(Transaction transaction, OpenSessionRequest request, Owners owners) {
        UUID id = SessionIds.of(request.getId());
        SessionRecord wanted =
                SessionDemands.checked(request, store.environment().wallClockMillis());
        CompletableFuture<Void> nested = refuseNested(transaction, request.getParent());
        CompletableFuture<Void> owned = owners.require(wanted.getOwner());
        return keys.record(transaction, id).thenCompose(known -> {
            if (known.isPresent()) {
                return CompletableFuture.completedFuture(new Wanted(id, request, known.get(), true));
            }
            return nested.thenCompose(unused -> owned)
                    .thenCompose(unused -> request.getPredecessor().isEmpty()
                            ? CompletableFuture.completedFuture(wanted)
                            : handOver.begin(transaction, id, wanted, request))
                    .thenApply(record -> new Wanted(id, request, record, false));
        });
    }

    /** Writes a session that was not known, as it is now. */
    void write(Transaction transaction, Wanted wanted, SessionRecord record) {
        keys.set(transaction, wanted.id(), record);
        if (wanted.request().hasCheck()) {
            keys.setCheck(transaction, wanted.request().getCheck());
        }
        if (!record.getOwner().isEmpty()) {
            keys.owned.set(transaction, FutureKeys.PRESENT, SessionIds.of(record.getOwner()), wanted.id());
        }
    }

    private CompletableFuture<Void> refuseNested(Transaction transaction, ByteString parent) {
        if (parent.isEmpty()) {
            return DONE;
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

    /** For {@link #look}, of one transaction. */
    Owners owners(Transaction transaction) {
        return new Owners(transaction);
    }

    /** The clients that are to own sessions of one transaction, each of which is read once. */
    final class Owners {

        private final Transaction transaction;
        private final Map<ByteString, CompletableFuture<Void>> known = new HashMap<>();

        private Owners(Transaction transaction) {
            this.transaction = transaction;
        }

        private CompletableFuture<Void> require(ByteString owner) {
            return owner.isEmpty() ? DONE : known.computeIfAbsent(owner, this::read);
        }

        private CompletableFuture<Void> read(ByteString owner) {
            return clients.one(transaction, SessionIds.of(owner)).thenAccept(client -> {
                if (client.isEmpty()) {
                    throw new IllegalArgumentException(
                            "The lease of the client that is to own the session is over. Connect again.");
                }
            });
        }
    }
}
