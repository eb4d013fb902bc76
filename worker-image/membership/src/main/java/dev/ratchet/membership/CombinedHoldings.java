/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.ReadTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Several kinds of work as one: sums what they hold, and is done when all of them are. */
public final class CombinedHoldings implements Holdings {

    private final List<Holdings> parts;

    public CombinedHoldings(List<Holdings> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public Holds now() {
        return parts.stream().map(Holdings::now).reduce(Holds.NONE, Holds::plus);
    }

    @Override
    public CompletableFuture<Holds> recorded(ReadTransaction transaction, String seat) {
        CompletableFuture<Holds> sum = CompletableFuture.completedFuture(Holds.NONE);
        for (Holdings part : parts) {
            sum = sum.thenCombine(part.recorded(transaction, seat), Holds::plus);
        }
        return sum;
    }

    @Override
    public CompletableFuture<Void> settle(Seat seat) {
        return all(part -> part.settle(seat));
    }

    @Override
    public CompletableFuture<Void> canary() {
        return all(Holdings::canary);
    }

    @Override
    public CompletableFuture<Void> drain(long timeoutMillis) {
        return all(part -> part.drain(timeoutMillis));
    }

    @Override
    public void resume() {
        parts.forEach(Holdings::resume);
    }

    @Override
    public void abandon() {
        parts.forEach(Holdings::abandon);
    }

    private CompletableFuture<Void> all(Function<Holdings, CompletableFuture<Void>> action) {
        return CompletableFuture.allOf(parts.stream().map(action).toArray(CompletableFuture[]::new));
    }
}
