/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.concurrent.CompletableFuture;

/** What is on its way to the store: a future, or many in a block. */
sealed interface Pending permits PendingSubmit, PendingBlock {

    /** Of the future or the block. */
    FutureId id();

    /** How many futures these are. */
    int futures();

    /** What it takes in a message, without its code. */
    long bytes();

    /** Its code, sent along once per message. */
    SubmittedFunction function();

    /** The future, or what those of the block have in common. */
    SubmittedFuture future();

    /** Completes when everything that was too large for the message is uploaded, be it its code or an upstream. */
    CompletableFuture<Void> ready();

    /** Completes when it is recorded. */
    CompletableFuture<Void> submitted();

    /** Whether it travels as a block. */
    boolean isBlock();

    /** Adds it to a message, without its code. */
    void addTo(SubmitRequest.Builder request);
}
