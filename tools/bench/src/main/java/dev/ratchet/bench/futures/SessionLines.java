/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SessionOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sessions that are opened and closed by many at once, where slots are free. */
final class SessionLines {

    /** With as many sessions on each worker as there are by default, nobody waits for another one. */
    static final Shape SHAPE = Shape.of(4);

    private static final int CALLERS = 64;

    private SessionLines() {}

    /** How many sessions per second, and how long one takes from asking for it to its end. */
    static void sessions(Subject subject) throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            subject.loop(
                    "session opened and closed",
                    CALLERS,
                    CALLERS,
                    () -> CompletableFuture.runAsync(() -> openAndClose(subject.ratchet()), callers));
        }
    }

    private static void openAndClose(Ratchet ratchet) {
        try {
            ratchet.sessions().open(SessionOptions.defaults()).close();
        } catch (InterruptedException interrupted) {
            throw new CompletionException(interrupted);
        }
    }
}
