/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import dev.ratchet.environment.Environment;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import java.util.concurrent.CompletableFuture;

/**
 * For how long somebody has watched the cluster, a number in the store: the time by which is collected what nobody
 * needs. It never goes faster than time does, whoever watches and however wrong wall clocks are: who watches adds what
 * has passed by a clock that only counts since it looked before, and only if nobody else has looked meanwhile. Each
 * look changes it, by a millisecond at least, so that others see that. It stands still while nobody watches. Not safe
 * for use by several threads.
 */
final class WatchedTime {

    private static final String SETTING = "watchedMillis";

    private final FutureStore store;
    private final FutureKeys keys;
    private final Environment environment;
    private long leftMillis = -1;
    private long leftNanos;

    WatchedTime(FutureStore store) {
        this.store = store;
        this.keys = store.keys();
        this.environment = store.environment();
    }

    /** Milliseconds until now. A repetition after an unknown outcome adds next to nothing. */
    CompletableFuture<Long> advance() {
        long nanos = environment.nanoTime();
        long passed = (nanos - leftNanos) / 1_000_000;
        byte[] key = keys.settings.key(SETTING);
        return store.runPlain(transaction -> transaction.get(key).thenApply(value -> {
                    long stored = value == null ? 0 : keys.settings.decode(value);
                    long now = stored + (stored == leftMillis ? Math.max(1, passed) : 1);
                    keys.settings.set(transaction, now, SETTING);
                    return now;
                }))
                .thenApply(now -> {
                    leftMillis = now;
                    leftNanos = nanos;
                    return now;
                });
    }
}
