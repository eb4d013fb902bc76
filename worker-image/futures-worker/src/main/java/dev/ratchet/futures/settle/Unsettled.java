/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.StreamingMode;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.record.WaitEdges;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases the rest of the dependents of futures that have more than one transaction can release. Any worker may do it;
 * what one leaves undone another finds by the key.
 */
public final class Unsettled {

    private static final Logger LOG = LoggerFactory.getLogger(Unsettled.class);
    private static final int FUTURES_PER_TRANSACTION = 4;

    private final FutureStore store;
    private final Dependents dependents;
    private final IdleSeats idleSeats;
    private final AtomicBoolean running = new AtomicBoolean();

    public Unsettled(FutureStore store, Dependents dependents) {
        this.store = store;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /** Works until nothing is left, unless that is going on already. */
    public void release() {
        if (running.compareAndSet(false, true)) {
            next();
        }
    }

    private void next() {
        GuardedCallbacks.begin(this::releaseSome)
                .whenCompleteAsync(
                        (more, failure) -> {
                            if (failure != null) {
                                LOG.warn("releasing dependents failed, to be found again by the next sweep", failure);
                            }
                            if (failure == null && more) {
                                next();
                            } else {
                                running.set(false);
                            }
                        },
                        store.environment().executor());
    }

    /** Whether there may be more: of these futures, or others. */
    private CompletableFuture<Boolean> releaseSome() {
        return store.run(futures -> futures.transaction()
                .snapshot()
                .getRange(store.keys().unsettled.range(), FUTURES_PER_TRANSACTION, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> {
                    List<FutureId> ids = found.stream()
                            .map(pair -> new FutureId(store.keys()
                                    .unsettled
                                    .elements(pair.getKey())
                                    .getUUID(0)))
                            .toList();
                    return futures.loadAll(ids)
                            .thenCompose(loaded -> release(futures, ids, loaded))
                            .thenApply(more -> more || found.size() == FUTURES_PER_TRANSACTION);
                })
                .thenCompose(more -> idleSeats.wake(futures).thenApply(unused -> more)));
    }

    /** What is gone, or runs again, is not to be looked at any more: nobody else would say so. */
    private CompletableFuture<Boolean> release(
            FutureTransaction futures, List<FutureId> ids, List<LoadedFuture> loaded) {
        Map<FutureId, LoadedFuture> done = loaded.stream()
                .filter(future -> Lifecycle.isDone(future.state()))
                .collect(Collectors.toMap(LoadedFuture::id, Function.identity()));
        WaitEdges edges = new WaitEdges(store.keys());
        ids.stream().filter(id -> !done.containsKey(id)).forEach(id -> edges.settle(futures.transaction(), id));
        return dependents.release(futures, done.values());
    }
}
