/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.SessionRecord;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Runs the user's check of what a session finds on its worker after a restart. */
@FunctionalInterface
public interface StateCheckRunner {

    /**
     * Runs it on a thread of its own.
     *
     * @return nothing if the session may go on, else why not; a failure if the check could not be run, which is tried
     *     again
     */
    CompletableFuture<Optional<String>> run(UUID id, SessionRecord session);
}
