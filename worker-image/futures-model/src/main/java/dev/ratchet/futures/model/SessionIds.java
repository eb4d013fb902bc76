/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.UUID;

/** Ids of sessions, which travel as 16 bytes; and what their states mean. Pure. */
public final class SessionIds {

    /** Begins the type of a failure by a session; the state or the reason follows. */
    public static final String FAILURE_TYPE = "dev.ratchet.client.session.";

    private SessionIds() {}

    /**
     * Reads an id.
     *
     * @throws IllegalArgumentException unless these are 16 bytes
     */
    public static UUID of(ByteString bytes) {
        return Ids.of(bytes).value();
    }

    /** Writes an id. */
    public static ByteString bytes(UUID id) {
        return Ids.bytes(new FutureId(id));
    }

    /** Whether nothing follows: no future of it is recorded any more. */
    public static boolean isOver(SessionState state) {
        return switch (state) {
            case SESSION_STATE_WAITING, SESSION_STATE_OPEN, SESSION_STATE_CLOSING, SESSION_STATE_SUSPENDED -> false;
            default -> true;
        };
    }
}
