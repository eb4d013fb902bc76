/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.ReadTransaction;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What another one tells of itself, of which a part may be changed. */
public interface ForwardingHoldings extends Holdings {

    /** The one that does all that is not changed. */
    Holdings holdings();

    @Override
    default Inventory now() {
        return holdings().now();
    }

    @Override
    default Map<String, Long> freeResources() {
        return holdings().freeResources();
    }

    @Override
    default CompletableFuture<Inventory> recorded(ReadTransaction transaction, String seat) {
        return holdings().recorded(transaction, seat);
    }

    @Override
    default CompletableFuture<Void> settle(Seat seat) {
        return holdings().settle(seat);
    }

    @Override
    default CompletableFuture<Void> canary() {
        return holdings().canary();
    }

    @Override
    default CompletableFuture<Void> drain(long timeoutMillis) {
        return holdings().drain(timeoutMillis);
    }

    @Override
    default CompletableFuture<Void> park(long timeoutMillis) {
        return holdings().park(timeoutMillis);
    }

    @Override
    default void resume() {
        holdings().resume();
    }

    @Override
    default void abandon() {
        holdings().abandon();
    }
}
