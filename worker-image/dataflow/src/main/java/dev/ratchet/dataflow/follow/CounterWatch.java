/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import com.apple.foundationdb.Transaction;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Wakes a thread once some counters are no longer what it has read them with. It is set by the transaction that has
 * found nothing to do, so that what comes behind that one is noticed without another look at the store, and nothing is
 * missed. One thread sets it and closes it.
 */
public final class CounterWatch implements AutoCloseable {

    private static final long RETRY_MILLIS = 200;

    private final DataflowStore store;
    private final Environment environment;
    private final List<Counter> counters;
    private final Runnable changed;
    private List<CompletableFuture<Void>> watches = List.of();

    /** @param changed is called once after each setting, on any thread; must not block */
    public CounterWatch(DataflowStore store, Environment environment, List<Counter> counters, Runnable changed) {
        this.store = store;
        this.environment = environment;
        this.counters = List.copyOf(counters);
        this.changed = changed;
    }

    /** Watches as of a transaction that changes nothing. One that is still set remains: it fires no later. */
    public void set(Transaction transaction) {
        if (!watches.isEmpty() && watches.stream().noneMatch(CompletableFuture::isDone)) {
            return;
        }
        close();
        List<CompletableFuture<Void>> made = new ArrayList<>();
        counters.forEach(counter -> made.add(transaction.watch(store.counterKey(counter))));
        watches = List.copyOf(made);
        CompletableFuture.anyOf(made.toArray(CompletableFuture[]::new)).whenComplete((fired, failure) -> {
            if (failure == null) {
                changed.run();
            } else {
                environment.schedule(RETRY_MILLIS, changed);
            }
        });
    }

    @Override
    public void close() {
        List<CompletableFuture<Void>> over = watches;
        watches = List.of();
        over.forEach(watch -> watch.cancel(true));
    }
}
