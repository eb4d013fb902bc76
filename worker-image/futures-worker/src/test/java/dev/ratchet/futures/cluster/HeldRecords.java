/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.store.fixture.Proxied;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Holds back, while it is told to, every commit of a database that writes below a prefix; all others go on. */
final class HeldRecords {

    private final AtomicInteger held = new AtomicInteger();
    private volatile byte @Nullable [] prefix;
    private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    /** From now on commits that write keys with this prefix wait. */
    void hold(byte[] keys) {
        gate = new CompletableFuture<>();
        prefix = keys;
    }

    /** Lets them go. */
    void release() {
        prefix = null;
        gate.complete(null);
    }

    /** Has those that wait fail, as with the process that makes them. */
    void drop() {
        prefix = null;
        gate.completeExceptionally(new IllegalStateException("dropped by the test"));
    }

    /** How many have waited, or wait. */
    int held() {
        return held.get();
    }

    /** Makes databases hold their commits. */
    UnaryOperator<Database> wrapper() {
        return real -> ProxiedDatabase.running(
                real,
                handler -> real.runAsync(transaction -> {
                    AtomicBoolean writes = new AtomicBoolean();
                    return handler.apply(observe(transaction, writes)).thenCompose(result -> {
                        if (!writes.get()) {
                            return CompletableFuture.completedFuture(result);
                        }
                        held.incrementAndGet();
                        return gate.thenApply(unused -> result);
                    });
                }));
    }

    private Transaction observe(Transaction transaction, AtomicBoolean writes) {
        return Proxied.of(Transaction.class, (method, arguments) -> {
            byte[] watched = prefix;
            if (method.getName().equals("set")
                    && watched != null
                    && ByteArrayUtil.startsWith((byte[]) arguments[0], watched)) {
                writes.set(true);
            }
            return Proxied.pass(transaction, method, arguments);
        });
    }
}
