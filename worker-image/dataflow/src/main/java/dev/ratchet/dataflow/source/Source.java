/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.dataflow.InputFullException;
import java.util.concurrent.CompletableFuture;

/** An input that brings rows by itself. One look at a time, on any thread. */
interface Source extends AutoCloseable {

    /**
     * Appends what is due, and completes with the milliseconds until the next look. May read files, but does not wait
     * for the store.
     *
     * @throws IllegalArgumentException as the failure: what a person has to change
     * @throws InputFullException as the failure: look again later
     */
    CompletableFuture<Long> look();

    /** Is called once, behind the last look. */
    @Override
    default void close() {}
}
