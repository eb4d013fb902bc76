/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;

/** The index of retentions that end, by wall clock. A record says where in the index it is, so the two always agree. */
public final class Expiry {

    private Expiry() {}

    /** Lists a future that is done. */
    public static void schedule(FutureTransaction futures, LoadedFuture future) {
        move(futures, future, Math.max(1, future.record().getDoneWallMillis() + futures.retentionMillis(future)));
    }

    /** Lists it under another time; 0 takes it out. */
    static void move(FutureTransaction futures, LoadedFuture future, long wallMillis) {
        long before = future.record().getExpiresWallMillis();
        if (before == wallMillis) {
            return;
        }
        if (before != 0) {
            futures.transaction().clear(futures.keys().expiry(before, future.id()));
        }
        if (wallMillis != 0) {
            futures.transaction().set(futures.keys().expiry(wallMillis, future.id()), FutureKeys.PRESENT);
        }
        future.change().setExpiresWallMillis(wallMillis);
    }
}
