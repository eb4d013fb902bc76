/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A call that blocks, on a virtual thread of its own, which is interrupted when its stage is cancelled. */
final class BlockingCall {

    private BlockingCall() {}

    static <T> CompletableFuture<T> start(Callable<T> call) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                stage.complete(call.call());
            } catch (Throwable failure) {
                stage.completeExceptionally(failure);
            }
        });
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        stage.whenComplete((value, failure) -> {
            if (stage.isCancelled()) {
                thread.interrupt();
            }
        });
        thread.start();
        return stage;
    }
}
