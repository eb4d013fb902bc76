/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Ends futures without a result. What depends on them fails; the worker that runs one is told and interrupts it. */
public final class Cancellation {

    /** Most futures of one transaction. */
    public static final int BATCH_MAX = 100;

    private final FutureStore store;
    private final Recorder recorder;
    private final Dependents dependents;
    private final IdleSeats idleSeats;
    private final Runnable moreToRelease;

    /** What one transaction has done. */
    private record Done(List<FutureId> cancelled, boolean more) {}

    Cancellation(FutureStore store, Recorder recorder, Dependents dependents, Runnable moreToRelease) {
        this.store = store;
        this.recorder = recorder;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
        this.moreToRelease = moreToRelease;
    }

    /** Cancels up to {@value #BATCH_MAX} futures; those that are cancelled now, by this call or before. */
    public CompletableFuture<List<FutureId>> cancel(Collection<FutureId> ids) {
        return store.run(futures -> futures.loadAll(ids).thenCompose(loaded -> cancel(futures, loaded)))
                .thenApply(done -> {
                    if (done.more()) {
                        moreToRelease.run();
                    }
                    return done.cancelled();
                });
    }

    private CompletableFuture<Done> cancel(FutureTransaction futures, List<LoadedFuture> loaded) {
        List<LoadedFuture> ended = new ArrayList<>();
        List<CompletableFuture<Void>> edges = new ArrayList<>();
        for (LoadedFuture future : loaded) {
            if (Lifecycle.allows(future.state(), Event.CANCEL)) {
                if (future.state() == State.STATE_WAITING) {
                    edges.add(dependents.disconnect(futures.transaction(), future.id()));
                }
                recorder.cancel(futures, future);
                ended.add(future);
            }
        }
        List<FutureId> cancelled = loaded.stream()
                .filter(future -> future.state() == State.STATE_CANCELLED)
                .map(LoadedFuture::id)
                .toList();
        return CompletableFuture.allOf(edges.toArray(CompletableFuture[]::new))
                .thenCompose(unused -> dependents.release(futures, ended))
                .thenCompose(more -> idleSeats.wake(futures).thenApply(unused -> new Done(cancelled, more)));
    }
}
