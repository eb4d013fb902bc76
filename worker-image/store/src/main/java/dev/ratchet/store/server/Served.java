/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.store.transaction.StoreConnection;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;

/**
 * What a server serves.
 *
 * @param engine answers the requests of sessions
 * @param generation of the store, told to every session
 * @param backups makes copies
 */
public record Served(StoreConnection engine, long generation, Backups backups) {

    /** Writes a copy of everything to a channel, and completes with the version that the copy holds. */
    @FunctionalInterface
    public interface Backups {
        /** Calls {@code target} from a thread that may block, one call at a time; does not close it. */
        CompletableFuture<Long> write(WritableByteChannel target);
    }
}
