/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Locality;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The sessions of futures that are submitted, as the transaction reads them: a future of an open one is bound to its
 * seat and counted among its futures, all others fail at once and queue nowhere.
 */
final class NewSessionFutures {

    private final FutureTransaction futures;
    private final Map<ByteString, Optional<SessionRecord>> sessions;

    private NewSessionFutures(FutureTransaction futures, Map<ByteString, Optional<SessionRecord>> sessions) {
        this.futures = futures;
        this.sessions = sessions;
    }

    static CompletableFuture<NewSessionFutures> read(FutureTransaction futures, Collection<SubmittedFuture> submitted) {
        return new SessionFence(futures.keys())
                .sessions(
                        futures.transaction(),
                        submitted.stream()
                                .filter(future -> future.getSchedulingSpec().hasSession())
                                .map(future -> future.getSchedulingSpec().getSession())
                                .toList())
                .thenApply(found -> new NewSessionFutures(futures, found));
    }

    /** Binds a new future to the seat of its session, if it has one. A result that is lost can not be made again. */
    void bind(FutureRecord.Builder record) {
        if (record.getSchedulingSpec().hasSession()) {
            open(record.getSchedulingSpec().getSession()).ifPresent(session -> record.getSchedulingSpecBuilder()
                    .setNoReconstruction(true)
                    .setLocality(
                            Locality.newBuilder().setSeat(session.getSeat()).setRequired(true)));
        }
    }

    /** Fails a future that was just created where its session is not open; else lists it among those of the session. */
    boolean doom(LoadedFuture future) {
        if (!SessionFence.isOfSession(future)) {
            return false;
        }
        SessionBinding binding = future.record().getSchedulingSpec().getSession();
        boolean open = open(binding).isPresent();
        future.change().getSchedulingSpecBuilder().getSessionBuilder().clearSecret();
        if (open) {
            SessionKeys keys = new SessionKeys(futures.keys());
            UUID session = SessionIds.of(binding.getId());
            keys.futures.set(
                    futures.transaction(),
                    FutureKeys.PRESENT,
                    session,
                    future.id().value());
        } else {
            future.apply(Event.SUBMIT_DOOMED);
            future.change().setFailure(SessionFence.failure(known(binding), binding.getId()));
        }
        return !open;
    }

    private Optional<SessionRecord> open(SessionBinding binding) {
        return known(binding)
                .filter(session -> session.getState() == SessionState.SESSION_STATE_OPEN
                        || session.getState() == SessionState.SESSION_STATE_SUSPENDED);
    }

    /** Only who has one of its references knows a session. */
    private Optional<SessionRecord> known(SessionBinding binding) {
        return sessions.getOrDefault(binding.getId(), Optional.empty())
                .filter(session -> binding.getSecret().equals(session.getUserSecret())
                        || binding.getSecret().equals(session.getOwnerSecret()));
    }
}
