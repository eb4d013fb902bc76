/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads something again whenever one of some counters has changed, woken by watches of the store: at once after a while
 * without a change, and otherwise so seldom that frequent changes cost little. Nothing blocks.
 *
 * @param <T> what is read
 */
public final class StoreFollower<T> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreFollower.class);
    private static final long RETRY_MILLIS = 200;
    private static final long PERIOD_MILLIS = 20;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long TIMEOUT_MILLIS = 4_000;

    private final DataflowStore store;
    private final Environment environment;
    private final List<Counter> counters;
    private final Function<ReadTransaction, CompletableFuture<T>> read;
    private final Consumer<T> found;
    private volatile boolean closed;
    private List<CompletableFuture<Void>> watches = List.of();
    private volatile long lookedNanos;

    /** @param found is told what was read, one at a time; must not block */
    public StoreFollower(
            DataflowStore store,
            Environment environment,
            List<Counter> counters,
            Function<ReadTransaction, CompletableFuture<T>> read,
            Consumer<T> found) {
        this.store = store;
        this.environment = environment;
        this.counters = List.copyOf(counters);
        this.read = read;
        this.found = found;
    }

    private record Look<T>(T value, List<CompletableFuture<Void>> watches) {}

    /** Begins; once. */
    public void start() {
        environment.executor().execute(this::look);
    }

    private void look() {
        if (closed) {
            return;
        }
        lookedNanos = environment.nanoTime();
        GuardedCallbacks.begin(() -> store.database().runAsync(transaction -> {
                    transaction.options().setTimeout(TIMEOUT_MILLIS);
                    List<CompletableFuture<Void>> made = new ArrayList<>();
                    counters.forEach(counter -> made.add(transaction.watch(store.counterKey(counter))));
                    return read.apply(transaction).thenApply(value -> new Look<>(value, made));
                }))
                .whenCompleteAsync(
                        (look, failure) -> {
                            if (failure != null) {
                                again(failure);
                            } else {
                                seen(look);
                            }
                        },
                        environment.executor());
    }

    private void again(Throwable failure) {
        if (!closed) {
            LOG.debug("The circuit's records can not be read or watched, trying again", failure);
            environment.schedule(RETRY_MILLIS, this::look);
        }
    }

    private void seen(Look<T> look) {
        synchronized (this) {
            watches = look.watches();
        }
        if (closed) {
            cancelWatches();
            return;
        }
        GuardedCallbacks.run("following the circuit's records", () -> found.accept(look.value()));
        CompletableFuture.anyOf(look.watches().toArray(CompletableFuture[]::new))
                .whenCompleteAsync(
                        (fired, failure) -> {
                            cancelWatches();
                            if (failure != null) {
                                again(failure);
                            } else {
                                lookWhenDue();
                            }
                        },
                        environment.executor());
    }

    private void lookWhenDue() {
        long millis = PERIOD_MILLIS - (environment.nanoTime() - lookedNanos) / NANOS_PER_MILLI;
        if (millis > 0) {
            environment.schedule(millis, this::look);
        } else {
            look();
        }
    }

    private void cancelWatches() {
        List<CompletableFuture<Void>> over;
        synchronized (this) {
            over = watches;
            watches = List.of();
        }
        over.forEach(watch -> watch.cancel(true));
    }

    @Override
    public void close() {
        closed = true;
        cancelWatches();
    }
}
