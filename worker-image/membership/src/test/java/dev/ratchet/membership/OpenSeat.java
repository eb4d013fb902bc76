/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.Transaction;
import java.util.concurrent.CompletableFuture;

/** A seat in its first incarnation that never objects: what remains is what other fences protect. */
public record OpenSeat(String name) implements Seat {

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
        return CompletableFuture.completedFuture(null);
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
