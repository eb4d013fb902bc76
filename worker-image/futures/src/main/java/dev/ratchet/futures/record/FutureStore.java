/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.store.environment.Environment;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Runs transactions over the futures of one cluster. Each handler is called again from the start after a conflict or an
 * unknown outcome of its commit, so it must find its own former effect and leave it as it is. Safe for use by several
 * threads.
 */
public final class FutureStore {

    private final Database database;
    private final FutureKeys keys;
    private final Environment environment;

    public FutureStore(Database database, FutureKeys keys, Environment environment) {
        this.database = database;
        this.keys = keys;
        this.environment = environment;
    }

    public FutureKeys keys() {
        return keys;
    }

    public Environment environment() {
        return environment;
    }

    /** Runs {@code handler} until it is committed; its last result. */
    public <T> CompletableFuture<T> run(Function<FutureTransaction, CompletableFuture<T>> handler) {
        return database.runAsync(transaction -> {
            FutureTransaction futures = new FutureTransaction(transaction, keys, environment.random());
            return handler.apply(futures).thenApply(result -> {
                futures.finish();
                return result;
            });
        });
    }

    /** Runs a handler that touches no record of a future until it is committed. */
    public <T> CompletableFuture<T> runPlain(Function<Transaction, CompletableFuture<T>> handler) {
        return database.runAsync(handler);
    }

    /** Reads at one version. */
    public <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> handler) {
        return database.readAsync(transaction -> handler.apply(transaction.snapshot()));
    }
}
