/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Lets so many things be under way at once; what else is asked for begins in its order. Safe for use by several
 * threads.
 */
final class Turns {

    private final int max;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean starting;

    Turns(int max) {
        this.max = max;
    }

    /**
     * What {@code start} comes to, once it is its turn. It must not throw.
     *
     * @param start called by this thread, or by one on which another one has ended
     */
    <T> CompletableFuture<T> take(Supplier<CompletableFuture<T>> start) {
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (this) {
            waiting.add(() -> start.get().whenComplete((value, failure) -> {
                synchronized (this) {
                    underWay--;
                }
                startThose();
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            }));
        }
        startThose();
        return result;
    }

    /** One thread starts at a time, in a loop: what ends at once would start the next one ever deeper. */
    private void startThose() {
        synchronized (this) {
            if (starting) {
                return;
            }
            starting = true;
        }
        while (true) {
            Runnable next;
            synchronized (this) {
                if (underWay == max || waiting.isEmpty()) {
                    starting = false;
                    return;
                }
                underWay++;
                next = waiting.remove();
            }
            next.run();
        }
    }
}
