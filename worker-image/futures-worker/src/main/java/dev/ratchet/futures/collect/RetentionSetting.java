/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import java.util.concurrent.CompletableFuture;

/**
 * How long futures whose submitters say nothing are kept after their ends: one number in the store for the whole
 * cluster. Workers read it now and then, and what has ended keeps the time that was in force then.
 */
public final class RetentionSetting {

    /** Programs are held to be there for half a minute after they were seen last. */
    public static final long MILLIS_MIN = 60_000;

    private static final String SETTING = "retentionMillis";

    private final FutureStore store;

    public RetentionSetting(FutureStore store) {
        this.store = store;
    }

    /** What is in force. */
    public CompletableFuture<Long> read(ReadTransaction transaction) {
        FutureKeys keys = store.keys();
        return transaction.snapshot().get(keys.settings.key(SETTING)).thenApply(value -> {
            Long stored = keys.settings.decodeOrNull(value);
            return stored == null ? FutureStore.RETENTION_MILLIS : stored;
        });
    }

    /** What is in force, from now on for this process too. */
    public CompletableFuture<Long> read() {
        return store.read(this::read).thenApply(this::adopt);
    }

    /**
     * Changes it.
     *
     * @throws IllegalArgumentException if it is less than a minute or more than ten years
     */
    public CompletableFuture<Long> set(long millis) {
        if (millis < MILLIS_MIN || millis > SubmitOptions.DURATION_MAX.toMillis()) {
            throw new IllegalArgumentException("The retention of futures is " + MILLIS_MIN + " to "
                    + SubmitOptions.DURATION_MAX.toMillis() + " ms, and not " + millis + ".");
        }
        return store.runPlain(transaction -> {
                    store.keys().settings.set(transaction, millis, SETTING);
                    return CompletableFuture.completedFuture(millis);
                })
                .thenApply(this::adopt);
    }

    /** Has this process go by it. */
    public long adopt(long millis) {
        store.retainFor(millis);
        return millis;
    }
}
