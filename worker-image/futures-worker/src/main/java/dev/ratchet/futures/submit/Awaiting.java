/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes sure that a seat is told when futures are done: its name is in their records. Also where somebody who needs a
 * lost result makes it be computed again.
 */
public final class Awaiting {

    /** Most futures of one transaction. */
    public static final int BATCH_MAX = 200;

    private static final int WAITERS_MAX = 100;

    private final FutureStore store;
    private final Reconstruction reconstruction;
    private final Dependents dependents;
    private final IdleSeats idleSeats;

    public Awaiting(FutureStore store, Reconstruction reconstruction, Dependents dependents) {
        this.store = store;
        this.reconstruction = reconstruction;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /**
     * Registers {@code seat} with those that are not done.
     *
     * @return the records of those that are known
     */
    public CompletableFuture<Map<FutureId, FutureRecord>> register(String seat, Collection<FutureId> ids) {
        return store.run(futures -> futures.loadAll(ids).thenCompose(loaded -> {
            for (LoadedFuture future : loaded) {
                reconstruction.revive(futures, future, Optional.empty());
                boolean listed = future.record().getWaitersList().contains(seat);
                if (!Lifecycle.isDone(future.state()) && !listed) {
                    if (future.record().getWaitersCount() >= WAITERS_MAX) {
                        throw new IllegalStateException("The clients of " + WAITERS_MAX + " workers wait for "
                                + future.id() + " already. Connect to one of those workers.");
                    }
                    future.change().addWaiters(seat);
                }
            }
            return settle(futures, loaded).thenApply(unused -> records(loaded));
        }));
    }

    /** Makes a future be computed again if it still is realized with exactly the object that was found missing. */
    public CompletableFuture<Void> revive(FutureId id, StoredObject missing) {
        return store.run(futures -> futures.loadAll(List.of(id)).thenCompose(loaded -> {
            loaded.forEach(future -> reconstruction.revive(futures, future, Optional.of(missing)));
            return settle(futures, loaded);
        }));
    }

    private CompletableFuture<Void> settle(FutureTransaction futures, List<LoadedFuture> loaded) {
        List<LoadedFuture> failed = loaded.stream()
                .filter(future -> futures.delivered().contains(future))
                .toList();
        return dependents.release(futures, failed).thenCompose(unused -> idleSeats.wake(futures));
    }

    private static Map<FutureId, FutureRecord> records(List<LoadedFuture> loaded) {
        Map<FutureId, FutureRecord> records = new LinkedHashMap<>();
        loaded.forEach(future -> records.put(future.id(), future.record().build()));
        return records;
    }
}
