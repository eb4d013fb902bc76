/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import com.apple.foundationdb.Database;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.StoreConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/** The engine of a {@link VirtualWorld}, and each process's own way to it. */
final class VirtualStore {

    private final StoreConnection engine;

    VirtualStore(VirtualProcess process) {
        engine = new EmbeddedEngine(process, EngineSettings.DEFAULT, Durability.NONE, StartingPoint.empty());
    }

    /** As {@link #database}, but one commit in {@code oneIn} is answered with 1021, whether it happened or not. */
    Database flakyDatabase(VirtualProcess client, VirtualWorld world, int oneIn) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (!method.getName().equals("commit") || world.random().nextInt(oneIn) > 0) {
                return method.invoke(engine, arguments);
            }
            CompletableFuture<CommitOutcome> unknown = new CompletableFuture<>();
            CompletableFuture<?> happened = world.random().nextBoolean()
                    ? (CompletableFuture<?>) method.invoke(engine, arguments)
                    : CompletableFuture.completedFuture(null);
            happened.whenComplete((outcome, failure) ->
                    unknown.completeExceptionally(new EmbeddedFDBException(ErrorCode.COMMIT_UNKNOWN_RESULT)));
            return unknown;
        };
        StoreConnection flaky = (StoreConnection) Proxy.newProxyInstance(
                VirtualStore.class.getClassLoader(), new Class<?>[] {StoreConnection.class}, handler);
        return new ConnectionDatabase(flaky, client);
    }

    /** A database whose transactions run in {@code client}, and stand still when that does. */
    Database database(VirtualProcess client) {
        return new ConnectionDatabase(engine, client);
    }
}
