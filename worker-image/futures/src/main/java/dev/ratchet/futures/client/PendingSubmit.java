/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.concurrent.CompletableFuture;

/**
 * A future on its way to the store.
 *
 * @param function its code, sent along once per message
 * @param ready completes when everything that was too large for the message is uploaded
 * @param submitted completes when the future is recorded
 */
record PendingSubmit(
        FutureId id,
        SubmittedFuture future,
        SubmittedFunction function,
        CompletableFuture<Void> ready,
        CompletableFuture<Void> submitted) {

    long bytes() {
        return future.getSerializedSize();
    }
}
