/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.futures.settle.Mailbox;
import dev.ratchet.futures.worker.ProxiedDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A database on which, while it is told to, workers wait before they look at their mail. */
final class HeldMail {

    private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    /** From now on workers wait. */
    void hold() {
        gate = new CompletableFuture<>();
    }

    /** Lets them look. */
    void release() {
        gate.complete(null);
    }

    UnaryOperator<Database> wrapper() {
        return real -> ProxiedDatabase.running(
                real, handler -> isMail() ? gate.thenCompose(open -> real.runAsync(handler)) : real.runAsync(handler));
    }

    private static boolean isMail() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(Mailbox.class.getName())));
    }
}
