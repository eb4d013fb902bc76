/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PageException;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.WatchRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which key to change. A watch fires when a published version holds another value than the one expected;
 * the cost of a commit is what it writes, whatever the number of watches. Their number is limited by each client.
 */
final class Watches {

    private final Executor executor;
    private final TreeMap<byte[], Set<Watch>> byKey = new TreeMap<>(Arrays::compareUnsigned);
    private boolean closed;

    private static final class Watch {
        final byte @Nullable [] expected;
        final CompletableFuture<@Nullable Void> changed = new CompletableFuture<>();

        Watch(byte @Nullable [] expected) {
            this.expected = expected;
        }
    }

    Watches(Executor executor) {
        this.executor = executor;
    }

    /** Adds a watch, or fires it at once where the newest data already differ. */
    synchronized CompletableFuture<@Nullable Void> add(WatchRequest request, History history) {
        Watch watch = new Watch(request.expected());
        if (closed) {
            watch.changed.completeExceptionally(new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
            return watch.changed;
        }
        try {
            byte[] value = history.newest().data().get(request.key());
            if (!Arrays.equals(value, watch.expected)) {
                watch.changed.complete(null);
                return watch.changed;
            }
        } catch (PageException e) {
            return CompletableFuture.failedFuture(EmbeddedEngine.unreadable(e));
        }
        byKey.computeIfAbsent(request.key(), key -> new LinkedHashSet<>()).add(watch);
        watch.changed.whenComplete((nothing, error) -> {
            if (watch.changed.isCancelled()) {
                remove(request.key(), watch);
            }
        });
        return watch.changed;
    }

    private synchronized void remove(byte[] key, Watch watch) {
        Set<Watch> watches = byKey.get(key);
        if (watches != null && watches.remove(watch) && watches.isEmpty()) {
            byKey.remove(key);
        }
    }

    /** Publishes data and fires what they change, with no gap into which a new watch could fall. */
    synchronized void publish(History history, History.Published next, List<Mutation> changes) {
        history.publish(next);
        if (byKey.isEmpty()) {
            return;
        }
        List<Watch> fired = new ArrayList<>();
        for (Mutation change : changes) {
            if (change.type() != Mutation.CLEAR_RANGE) {
                fire(change.key(), next.data(), fired);
            } else {
                for (byte[] key :
                        List.copyOf(byKey.subMap(change.key(), change.param()).keySet())) {
                    fire(key, next.data(), fired);
                }
            }
        }
        Tellers.tell(fired.size(), i -> fired.get(i).changed.complete(null), executor);
    }

    private void fire(byte[] key, OrderedTree<byte[]> data, List<Watch> fired) {
        Set<Watch> watches = byKey.get(key);
        if (watches == null) {
            return;
        }
        List<byte @Nullable []> value = valueIn(data, key);
        watches.removeIf(watch -> {
            // Of what can not be read it is not known that it is still the same: whoever is told looks again.
            boolean changed = value.isEmpty() || !Arrays.equals(value.getFirst(), watch.expected);
            if (changed) {
                fired.add(watch);
            }
            return changed;
        });
        if (watches.isEmpty()) {
            byKey.remove(key);
        }
    }

    /** The value as an only element; no element where it can not be read. */
    private static List<byte @Nullable []> valueIn(OrderedTree<byte[]> data, byte[] key) {
        try {
            return Collections.singletonList(data.get(key));
        } catch (PageException e) {
            return List.of();
        }
    }

    /** How many wait. */
    synchronized int count() {
        return byKey.values().stream().mapToInt(Collection::size).sum();
    }

    /** Ends all of them with 1025. */
    synchronized void close() {
        closed = true;
        List<Watch> all = byKey.values().stream().flatMap(Set::stream).toList();
        byKey.clear();
        Tellers.tell(
                all.size(),
                i -> all.get(i)
                        .changed
                        .completeExceptionally(new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED)),
                executor);
    }
}
