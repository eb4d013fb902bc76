/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.util.concurrent.CompletableFuture;

/** Brings what is in the log to where the data rest, so that the log stays short. Commits go on meanwhile. */
interface Checkpoints {

    /** Begins a checkpoint if there is reason to and none is being taken. */
    void check();

    /** Brings all that has been committed to rest and returns its version. */
    CompletableFuture<Long> take();

    /** Begins none any more, and completes, never with an error, when none is being taken. */
    CompletableFuture<?> end();

    /** Somebody begins to read a version for longer than the window: nothing that it may need is deleted. */
    default void readerComes() {}

    /** That reader is done. */
    default void readerGoes() {}
}
