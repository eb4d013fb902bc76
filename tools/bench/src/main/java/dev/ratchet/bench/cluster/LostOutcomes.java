/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.StoreConnection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * An engine that answers one in so many commits with 1021, commit_unknown_result; half of those have happened. All else
 * goes to the real one.
 */
final class LostOutcomes {

    private final StoreConnection engine;
    private final int oneIn;
    private final RandomGenerator random;

    LostOutcomes(StoreConnection engine, int oneIn, long seed) {
        this.engine = engine;
        this.oneIn = oneIn;
        this.random = RandomGeneratorFactory.of("Random").create(seed);
    }

    StoreConnection connection() {
        return (StoreConnection) Proxy.newProxyInstance(
                LostOutcomes.class.getClassLoader(),
                new Class<?>[] {StoreConnection.class},
                (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof CommitRequest commit) {
                        return commit(commit);
                    }
                    try {
                        return method.invoke(engine, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private CompletableFuture<?> commit(CommitRequest commit) {
        int dice = random.nextInt(2 * oneIn);
        if (dice == 0) {
            return unknown();
        }
        CompletableFuture<?> outcome = engine.commit(commit);
        return dice == 1 ? outcome.thenCompose(done -> unknown()) : outcome;
    }

    private static CompletableFuture<Object> unknown() {
        return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.COMMIT_UNKNOWN_RESULT));
    }
}
