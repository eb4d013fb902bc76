/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.client.CircuitProducer;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.ViewChange;
import dev.ratchet.client.ViewStep;
import dev.ratchet.client.ViewSubscription;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A program that sends rows to one worker and hears a view from another one, both over gRPC. */
final class JavaClient implements AutoCloseable {

    private static final String KEY = "k";

    private final Ratchet in;
    private final Ratchet out;
    private final ViewSubscription subscription;

    /** What is waited for: a row of that key, in a step that is heard. */
    private record Wanted(long key, CompletableFuture<Long> heard) {}

    private volatile @Nullable Wanted wanted;
    private long added;
    private long addedUntil;
    private @Nullable CompletableFuture<Long> allAdded;

    /** @param writes which worker is sent rows; the other numbers follow where it is gone */
    JavaClient(Cluster cluster, int writes, int reads, String view) {
        in = Ratchet.connect(ConnectionOptions.ofDocument(cluster.connection(writes)));
        out = Ratchet.connect(ConnectionOptions.ofDocument(cluster.connection(reads)));
        subscription = out.circuit().subscribe(view, this::hear);
        subscription.ended().whenComplete((end, failure) -> failed(failure));
    }

    CircuitProducer producer(String name) {
        return in.circuit().producer(name);
    }

    /** When a step that adds a row of this key has been heard, as {@link System#nanoTime}. One at a time. */
    CompletableFuture<Long> await(long key) {
        CompletableFuture<Long> heard = new CompletableFuture<>();
        wanted = new Wanted(key, heard);
        return heard;
    }

    /** How many rows have been added in all steps that were heard. */
    synchronized long added() {
        return added;
    }

    /** When so many rows have been added in all. One at a time. */
    synchronized CompletableFuture<Long> awaitAdded(long count) {
        CompletableFuture<Long> heard = new CompletableFuture<>();
        if (added >= count) {
            heard.complete(System.nanoTime());
        } else {
            addedUntil = count;
            allAdded = heard;
        }
        return heard;
    }

    private synchronized void add(long count) {
        added += count;
        CompletableFuture<Long> awaited = allAdded;
        if (awaited != null && added >= addedUntil) {
            allAdded = null;
            awaited.complete(System.nanoTime());
        }
    }

    private synchronized void failed(@Nullable Throwable failure) {
        Throwable reason = failure == null ? new IllegalStateException("The subscription was closed") : failure;
        if (allAdded != null) {
            allAdded.completeExceptionally(reason);
        }
        Wanted awaited = wanted;
        if (awaited != null) {
            awaited.heard().completeExceptionally(reason);
        }
    }

    private void hear(ViewStep step) {
        long now = System.nanoTime();
        add(step.changes().stream().filter(ViewChange::isAdded).count());
        Wanted awaited = wanted;
        if (awaited == null) {
            return;
        }
        for (ViewChange change : step.changes()) {
            if (change.isAdded() && awaited.key() == change.row().get(KEY, Long.class)) {
                wanted = null;
                awaited.heard().complete(now);
                return;
            }
        }
    }

    @Override
    public void close() {
        subscription.close();
        out.close();
        in.close();
    }
}
