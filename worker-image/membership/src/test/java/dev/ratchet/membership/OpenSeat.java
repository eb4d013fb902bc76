/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.Transaction;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A seat in its first incarnation that never objects: what remains is what other fences protect.
 *
 * @param fenced asked by {@link #fence}, for who wants to object after all
 */
public record OpenSeat(String name, Supplier<CompletableFuture<Void>> fenced) implements Seat {

    public OpenSeat(String name) {
        this(name, () -> CompletableFuture.completedFuture(null));
    }

    @Override
    public long incarnation() {
        return 1;
    }

    @Override
    public WorkerState state() {
        return WorkerState.HEALTHY;
    }

    @Override
    public boolean mayWork() {
        return true;
    }

    @Override
    public long validUntilNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public CompletableFuture<Void> fence(Transaction transaction) {
        return fenced.get();
    }

    @Override
    public CompletableFuture<Void> fenceForWork(Transaction transaction) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void holdsChanged() {}

    @Override
    public void addListener(Listener listener) {}
}
