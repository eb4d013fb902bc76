/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import com.apple.foundationdb.Transaction;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a thread once a counter is no longer what it has read it with, so that what comes behind its last look at the
 * store is noticed without another one, and nothing is missed. One thread sets it and closes it.
 */
public final class CounterWatch implements AutoCloseable {

    private static final long RETRY_MILLIS = 200;
    private static final long TIMEOUT_MILLIS = 4_000;

    private final DataflowStore store;
    private final Environment environment;
    private final Counter counter;
    private final Runnable changed;
    private Setting setting = new Setting();

    /** @param changed is called once after each setting, on any thread; must not block */
    public CounterWatch(DataflowStore store, Environment environment, Counter counter, Runnable changed) {
        this.store = store;
        this.environment = environment;
        this.counter = counter;
        this.changed = changed;
        setting.end();
    }

    /** One watch, from before the store has it until it has fired or failed. */
    private static final class Setting {
        private @Nullable CompletableFuture<Void> watch;
        private boolean ended;

        synchronized boolean isEnded() {
            return ended;
        }

        synchronized void watchBy(CompletableFuture<Void> made) {
            watch = made;
            if (ended) {
                made.cancel(true);
            }
        }

        /** False where it has ended before. */
        synchronized boolean end() {
            boolean wasSet = !ended;
            ended = true;
            if (watch != null) {
                watch.cancel(true);
            }
            return wasSet;
        }
    }

    /** Whether it is set, and nothing has changed since. By the thread that sets it. */
    public boolean isSet() {
        return !setting.isEnded();
    }

    /**
     * Watches as of a transaction that writes nothing: others would conflict with each change of the counter. One that
     * is still set remains: it fires no later.
     */
    public void set(Transaction transaction) {
        if (setting.isEnded()) {
            Setting begun = new Setting();
            setting = begun;
            watch(begun, transaction);
        }
    }

    private void watch(Setting begun, Transaction transaction) {
        CompletableFuture<Void> made = transaction.watch(store.counterKey(counter));
        begun.watchBy(made);
        made.whenComplete((fired, failure) -> over(begun, failure));
    }

    private void over(Setting begun, @Nullable Throwable failure) {
        if (!begun.end()) {
            return;
        }
        if (failure == null) {
            changed.run();
        } else {
            environment.schedule(RETRY_MILLIS, changed);
        }
    }

    /** What the counter is as of a transaction that may write, without a conflict: for {@link #setSince}. */
    public CompletableFuture<Long> value(Transaction transaction) {
        return store.counted(transaction.snapshot(), counter);
    }

    /** Watches since a transaction has read a value, by another one; does not wait for it. */
    public void setSince(long seen) {
        if (!setting.isEnded()) {
            return;
        }
        Setting begun = new Setting();
        setting = begun;
        GuardedCallbacks.begin(() -> store.database().runAsync(transaction -> {
                    transaction.options().setTimeout(TIMEOUT_MILLIS);
                    return value(transaction).thenApply(now -> {
                        if (now == seen) {
                            watch(begun, transaction);
                        }
                        return now;
                    });
                }))
                .whenComplete((now, failure) -> {
                    if (failure != null || now != seen) {
                        over(begun, failure);
                    }
                });
    }

    @Override
    public void close() {
        setting.end();
    }
}
