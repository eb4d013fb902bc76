/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Copy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Decides which objects of others this worker keeps a copy of: those that its tasks have read before. However many
 * tasks want one at the same time, it comes once. A copy counts from when the record names it, like any other. Safe for
 * use by several threads.
 */
final class Replicas {

    /** Objects whose reads are remembered. */
    private static final int REMEMBERED_MAX = 10_000;

    /** How often an object is read through the network before a copy is kept. */
    private static final int READS = 2;

    private final Seat seat;
    private final ObjectStore objects;
    private final CopyRecords records;
    private final Map<ObjectName, Integer> reads = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<ObjectName, CompletableFuture<Stored>> coming = new ConcurrentHashMap<>();

    Replicas(Seat seat, ObjectStore objects, CopyRecords records) {
        this.seat = seat;
        this.objects = objects;
        this.records = records;
    }

    /** The copy that this worker has, if it has one. */
    Copy own() {
        return Copy.newBuilder()
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation())
                .build();
    }

    /** Counts a read; whether a copy is to be kept: it was read often enough, there is room, and the worker stays. */
    boolean isWanted(ObjectName name, long bytes) {
        synchronized (reads) {
            int count = reads.merge(name, 1, Integer::sum);
            if (reads.size() > REMEMBERED_MAX) {
                reads.remove(reads.keySet().iterator().next());
            }
            return count > READS && seat.mayWork() && bytes <= objects.freeBytes() / 2;
        }
    }

    /** The copy, made by {@code copier} unless it is coming already. */
    CompletableFuture<Stored> keep(ObjectName name, Supplier<CompletableFuture<Stored>> copier) {
        CompletableFuture<Stored> fresh = new CompletableFuture<>();
        CompletableFuture<Stored> present = coming.putIfAbsent(name, fresh);
        if (present != null) {
            return present;
        }
        GuardedCallbacks.begin(copier)
                .thenCompose(stored -> records.add(name, own()).thenApply(named -> {
                    if (!named) {
                        objects.delete(name);
                    }
                    return stored;
                }))
                .whenComplete((stored, failure) -> {
                    coming.remove(name, fresh);
                    if (failure == null) {
                        fresh.complete(stored);
                    } else {
                        fresh.completeExceptionally(failure);
                    }
                });
        return fresh;
    }
}
