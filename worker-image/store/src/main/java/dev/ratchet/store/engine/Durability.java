/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where committed batches survive. The engine tells nobody of a batch before it does. */
public interface Durability {

    /**
     * Takes the next batch and calls {@code done} once it would survive the death of the process and of the machine, or
     * with what went wrong. Callbacks come in the order of the batches, one at a time. After an error every later batch
     * fails too.
     */
    void append(CommittedBatch batch, Consumer<@Nullable Throwable> done);

    /** Runs reads of what is not in memory, which wait for a disk: not too many at a time. */
    default Executor reads() {
        return Runnable::run;
    }

    /** Nothing survives: for tests and scratch data. */
    Durability NONE = (batch, done) -> done.accept(null);
}
