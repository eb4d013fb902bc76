/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.SubmittedFutureOrBuilder;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import java.util.Optional;

/** In whose name futures are submitted and awaited: that of a program, or of a task that runs on a worker. */
public interface Caller {

    /** The time that a thread waits; ends when closed. */
    @FunctionalInterface
    interface Pause extends AutoCloseable {
        @Override
        void close();
    }

    /** The connection in its name; for the rest it is a program of its own, unless it says otherwise. */
    Ratchet ratchet();

    /** The task that submits, if it is one. */
    default Optional<FutureId> parent() {
        return Optional.empty();
    }

    /** The claim of the task's attempt, if it is one. */
    default Optional<ClaimToken> claim() {
        return Optional.empty();
    }

    /** What a future is submitted with that comes without options. */
    default SubmitOptions defaultOptions() {
        return SubmitOptions.defaults();
    }

    /** The id of a new future with this content, which has no id yet. */
    default FutureId newId(SubmittedFutureOrBuilder content, Environment environment) {
        return Ids.ofRandom(environment.randomId());
    }

    /** Says that the calling thread is about to wait for the cluster; to be closed on the same thread. */
    default Pause pause() {
        return () -> {};
    }
}
