/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.SessionRecord;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Ends the futures of a session that runs them no more. */
@FunctionalInterface
public interface SessionFutures {

    /** Cancels all futures of the session that are not done, however many transactions that takes. */
    CompletableFuture<Void> end(UUID id, SessionRecord session);
}
