/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import java.util.concurrent.CompletableFuture;

/** The durable input of a circuit, in the store: what is acknowledged is never lost and is in exactly one step. */
public interface InputLog {

    /**
     * Appends rows; completes when they are durable, with {@link IllegalArgumentException} where a table is unknown or
     * a limit is exceeded, with {@link InputFullException} where the circuit is too far behind.
     */
    CompletableFuture<Received> append(InputRequest request);

    /** What the log has of a producer. */
    CompletableFuture<Received> received(String producer);
}
