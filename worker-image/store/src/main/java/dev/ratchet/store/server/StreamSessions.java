/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Opened;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.Status;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may open a session, and knows who has one: at most one per client process, and a limited number in all.
 * Safe for use by several threads.
 */
final class StreamSessions {

    static final int SESSIONS = 10_000;

    private record ClientKey(Identity identity, long clientId) {}

    private final long generation;
    private final String release;
    private final Map<ClientKey, StreamSession> streamSessionsOpen = new ConcurrentHashMap<>();
    final StoreMetrics metrics;

    /**
     * One with nobody in it.
     *
     * @param generation that of the store
     * @param release of Ratchet, for the logs of clients
     */
    StreamSessions(long generation, String release, StoreMetrics metrics) {
        this.generation = generation;
        this.release = release;
        this.metrics = metrics;
    }

    /** Why {@code caller} can not have the session it asks for, or null if it can. */
    @Nullable
    Status refusal(Open open, Identity caller) {
        if (!open.getIdentity().equals(caller.uri())) {
            return Status.PERMISSION_DENIED.withDescription(
                    "The certificate is that of " + caller + ", the session was asked for as " + open.getIdentity());
        }
        if (StoreProtocol.common(open).isEmpty()) {
            return Status.FAILED_PRECONDITION.withDescription(StoreProtocol.refusal(open));
        }
        if (streamSessionsOpen.size() >= SESSIONS) {
            return Status.RESOURCE_EXHAUSTED.withDescription(
                    "The store has " + streamSessionsOpen.size() + " sessions, and " + SESSIONS + " is its limit");
        }
        return null;
    }

    /** What an admitted client is told. */
    Opened opened(Open open) {
        OptionalInt protocol = StoreProtocol.common(open);
        return Opened.newBuilder()
                .setProtocol(protocol.orElseThrow())
                .setGeneration(generation)
                .setRelease(release)
                .build();
    }

    /** Notes that this client is here now. @return its former visit, to be ended before this one goes on */
    @Nullable
    StreamSession enter(Open open, Identity caller, StreamSession streamSession) {
        return streamSessionsOpen.put(new ClientKey(caller, open.getClientId()), streamSession);
    }

    void leave(Open open, Identity caller, StreamSession streamSession) {
        streamSessionsOpen.remove(new ClientKey(caller, open.getClientId()), streamSession);
    }
}
