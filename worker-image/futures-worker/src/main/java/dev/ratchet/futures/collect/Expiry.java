/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;

/** When the retention of a future ends, by wall clock: the record says it, and the index of retentions follows. */
public final class Expiry {

    private Expiry() {}

    /** Lists a future that is done. */
    public static void schedule(FutureTransaction futures, LoadedFuture future) {
        move(future, Math.max(1, future.record().getDoneWallMillis() + futures.retentionMillis(future)));
    }

    /** Lists it under another time; 0 takes it out. */
    static void move(LoadedFuture future, long wallMillis) {
        if (future.record().getExpiresWallMillis() != wallMillis) {
            future.change().setExpiresWallMillis(wallMillis);
        }
    }
}
