/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.concurrent.CompletableFuture;

/** A future on its way to the store. */
record PendingSubmit(
        FutureId id,
        SubmittedFuture future,
        SubmittedFunction function,
        CompletableFuture<Void> ready,
        CompletableFuture<Void> submitted)
        implements Pending {

    /** The same, sent only once {@code upload} is there, too. */
    PendingSubmit after(CompletableFuture<Void> upload) {
        return new PendingSubmit(id, future, function, CompletableFuture.allOf(ready, upload), submitted);
    }

    @Override
    public int futures() {
        return 1;
    }

    @Override
    public long bytes() {
        return future.getSerializedSize();
    }

    @Override
    public boolean isBlock() {
        return false;
    }

    @Override
    public void addTo(SubmitRequest.Builder request) {
        request.addFutures(future);
    }
}
