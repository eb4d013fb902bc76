/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import java.util.concurrent.CompletableFuture;

/**
 * Over how many ranges queue keys are spread: at least sixteen for each worker that claims, a number in the store that
 * only ever doubles. Readers look at all ranges, so a process that does not know the newest number loses nothing.
 */
public final class Shards {

    private static final String SETTING = "shards";
    private static final int PER_CLAIMER = 16;

    /** More would make keys longer and no reader faster. */
    private static final int SHARDS_MAX = 1 << 16;

    private final FutureKeys keys;

    public Shards(FutureKeys keys) {
        this.keys = keys;
    }

    /** The number in the store, after raising it to what so many claimers need. */
    public CompletableFuture<Integer> adapt(Transaction transaction, int claimers) {
        byte[] key = keys.settings.key(SETTING);
        return transaction.snapshot().get(key).thenApply(value -> {
            Long stored = keys.settings.decodeOrNull(value);
            long wanted = wanted(stored == null ? FutureStore.SHARDS_MIN : stored, claimers);
            if (stored == null || wanted > stored) {
                transaction.addReadConflictKey(key);
                keys.settings.set(transaction, wanted, SETTING);
            }
            return Math.toIntExact(wanted);
        });
    }

    /** The present number, doubled until it suffices. */
    static long wanted(long present, int claimers) {
        long shards = present;
        while (shards < (long) PER_CLAIMER * claimers && shards < SHARDS_MAX) {
            shards *= 2;
        }
        return shards;
    }
}
