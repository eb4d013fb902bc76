/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.ReadTransaction;
import java.util.concurrent.CompletableFuture;

/** So many claims in the store of whatever seat, of which the process itself knows nothing. */
public class Claims implements Holdings {

    private final int count;

    public Claims(int count) {
        this.count = count;
    }

    @Override
    public Inventory now() {
        return Inventory.NONE;
    }

    @Override
    public CompletableFuture<Inventory> recorded(ReadTransaction transaction, String seat) {
        return CompletableFuture.completedFuture(Inventory.NONE.withFutures(count));
    }

    @Override
    public CompletableFuture<Void> settle(Seat seat) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> canary() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> drain(long timeoutMillis) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> park(long timeoutMillis) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void resume() {
        // Nothing runs.
    }

    @Override
    public void abandon() {
        // The same.
    }
}
