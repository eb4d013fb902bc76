/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Over how many ranges queue keys are spread: at least sixteen for each worker that claims, a number in the store that
 * only ever doubles. Readers look at all ranges, so a process that does not know the newest number loses nothing.
 */
public final class Shards {

    private static final Logger LOG = LoggerFactory.getLogger(Shards.class);
    private static final String SETTING = "shards";
    private static final int PER_CLAIMER = 16;

    /** More would make keys longer and no reader faster. */
    private static final int SHARDS_MAX = 1 << 16;

    private final FutureStore store;

    public Shards(FutureStore store) {
        this.store = store;
    }

    /** Adopts the number in the store, after raising it to what so many claimers need. */
    public void adapt(int claimers) {
        FutureKeys keys = store.keys();
        byte[] key = keys.settings.key(SETTING);
        var unused = store.runPlain(
                        transaction -> transaction.snapshot().get(key).thenApply(value -> {
                            Long stored = keys.settings.decodeOrNull(value);
                            long wanted = wanted(stored == null ? FutureStore.SHARDS_MIN : stored, claimers);
                            if (stored == null || wanted > stored) {
                                transaction.addReadConflictKey(key);
                                transaction.set(key, keys.settings.encode(wanted));
                            }
                            return wanted;
                        }))
                .whenComplete((shards, failure) -> {
                    if (failure == null) {
                        store.spreadOver(Math.toIntExact(shards));
                    } else {
                        LOG.warn("the number of shards can not be read, to be tried again by the next sweep", failure);
                    }
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
