/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.LoadedFuture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Deletes futures because somebody says so: what is not done is cancelled first, then the record goes with its result,
 * whatever its retention is. Repeating it is harmless.
 */
public final class Deletion {

    /** Most futures of one request. */
    public static final int REQUEST_MAX = 1_000;

    private static final int BATCH_MAX = 100;

    private final FutureStore store;
    private final FutureRemoval removal;
    private final Function<Collection<FutureId>, CompletableFuture<?>> cancellation;

    /**
     * @param cancellation ends up to {@value #BATCH_MAX} futures that are not done, and has nothing wait for any of
     *     them
     */
    public Deletion(FutureStore store, Function<Collection<FutureId>, CompletableFuture<?>> cancellation) {
        this.store = store;
        this.removal = new FutureRemoval(store.keys());
        this.cancellation = cancellation;
    }

    /** Deletes; those that were known until now. */
    public CompletableFuture<List<FutureId>> delete(Collection<FutureId> ids) {
        if (ids.size() > REQUEST_MAX) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(
                    "At most " + REQUEST_MAX + " futures are deleted at once, not " + ids.size()));
        }
        return deleteFrom(List.copyOf(new LinkedHashSet<>(ids)), 0, new LinkedHashSet<>())
                .thenApply(ArrayList::new);
    }

    private CompletableFuture<Set<FutureId>> deleteFrom(List<FutureId> ids, int from, Set<FutureId> deleted) {
        if (from >= ids.size()) {
            return CompletableFuture.completedFuture(deleted);
        }
        List<FutureId> some = ids.subList(from, Math.min(ids.size(), from + BATCH_MAX));
        return cancellation
                .apply(some)
                .thenCompose(
                        unused -> store.run(futures -> futures.loadAll(some).thenCompose(loaded -> {
                            List<LoadedFuture> ended = loaded.stream()
                                    .filter(future -> FutureRemoval.isCollectable(future.state()))
                                    .toList();
                            List<LoadedFuture> now = ended.subList(0, FutureRemoval.removable(ended));
                            int next = now.size() < ended.size()
                                    ? from + some.indexOf(ended.get(now.size()).id())
                                    : from + some.size();
                            List<FutureId> removed =
                                    now.stream().map(LoadedFuture::id).toList();
                            return removal.remove(futures, now).thenApply(done -> new Step(removed, next));
                        })))
                .thenComposeAsync(
                        step -> {
                            deleted.addAll(step.removed());
                            return deleteFrom(ids, step.next(), deleted);
                        },
                        store.environment().executor());
    }

    /** What one transaction has removed, and where the next one begins. */
    private record Step(List<FutureId> removed, int next) {}
}
