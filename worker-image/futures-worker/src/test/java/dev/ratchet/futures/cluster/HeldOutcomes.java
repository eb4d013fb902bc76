/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.futures.worker.ProxiedDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A database on which, while it holds them, no outcome is recorded; what is written before an outcome is. */
final class HeldOutcomes {

    private volatile boolean holds;

    /** Holds outcomes from now on, for ever, or lets others pass again. */
    void hold(boolean now) {
        holds = now;
    }

    UnaryOperator<Database> wrapper() {
        return real -> ProxiedDatabase.running(
                real, handler -> holds && isOutcome() ? new CompletableFuture<>() : real.runAsync(handler));
    }

    private static boolean isOutcome() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.endsWith(".OutcomeCommitter") || name.endsWith(".LargeStates"))
                        .findFirst()
                        .orElse(""))
                .endsWith(".OutcomeCommitter");
    }
}
