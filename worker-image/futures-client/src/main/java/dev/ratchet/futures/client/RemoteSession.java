/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SubmitOptions;
import java.util.Optional;
import java.util.UUID;

/** A session by way of a gateway. Immutable but for whether it was closed here. */
final class RemoteSession implements Session {

    private final RemoteRatchet ratchet;
    private final RemoteSessions sessions;
    private final UUID id;
    private final Optional<ByteString> ownerSecret;
    private final ByteString userSecret;
    private final String seat;
    private volatile boolean closed;

    /**
     * @param ownerSecret absent where this may not close it
     * @param seat that has it; empty: not known
     */
    RemoteSession(
            RemoteRatchet ratchet,
            RemoteSessions sessions,
            UUID id,
            Optional<ByteString> ownerSecret,
            ByteString userSecret,
            String seat) {
        this.ratchet = ratchet;
        this.sessions = sessions;
        this.id = id;
        this.ownerSecret = ownerSecret;
        this.userSecret = userSecret;
        this.seat = seat;
    }

    @Override
    public SessionInfo info() {
        return sessions.describe(id, userSecret)
                .orElseThrow(() -> new SessionClosedException("The session " + id + " ended long ago."));
    }

    @Override
    public SessionRef ref(SessionRef.Access access) {
        if (access == SessionRef.Access.USE) {
            return RemoteSessions.ref(id, access, userSecret);
        }
        return RemoteSessions.ref(
                id,
                access,
                ownerSecret.orElseThrow(() -> new InvalidInputException(
                        "The session " + id + " was attached for use only: its owner has the other reference.")));
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task) {
        if (closed) {
            throw new SessionClosedException("The session " + id + " was closed here, and takes no futures.");
        }
        return ratchet.submit(options.withSession(ref(SessionRef.Access.USE)), task);
    }

    @Override
    public <T> DurableFuture<T> submit(SerializableCallable<T> task) {
        return submit(ratchet.defaultOptions(), task);
    }

    @Override
    public void close(CloseMode mode) {
        ByteString secret = ownerSecret.orElseThrow(() -> new InvalidInputException(
                "The session " + id + " was attached for use only: whoever has the owner's reference closes it."));
        closed = true;
        sessions.close(id, secret, seat, mode == CloseMode.CANCEL);
    }

    @Override
    public void close() {
        if (ownerSecret.isPresent() && !closed) {
            close(CloseMode.DRAIN);
        }
    }
}
