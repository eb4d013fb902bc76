/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterable;
import dev.ratchet.store.fixture.Proxied;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Databases whose transactions run in another way, and transactions that tell what they are asked for. */
public final class ProxiedDatabase {

    private ProxiedDatabase() {}

    /** Runs the handlers of transactions in another way. */
    public static Database running(
            Database real, Function<Function<Transaction, CompletableFuture<Object>>, CompletableFuture<Object>> way) {
        return Proxied.of(Database.class, (method, arguments) -> {
            if (method.getName().equals("runAsync")) {
                @SuppressWarnings("unchecked") // The signature of runAsync.
                Function<Transaction, CompletableFuture<Object>> handler =
                        (Function<Transaction, CompletableFuture<Object>>) arguments[0];
                return way.apply(handler);
            }
            return Proxied.pass(real, method, arguments);
        });
    }

    /** Tells the name of each method that is called, of its snapshots, too. */
    static <T extends ReadTransaction> T telling(Class<T> type, T real, Consumer<String> called) {
        return Proxied.of(type, (method, arguments) -> {
            called.accept(method.getName());
            Object result = Proxied.pass(real, method, arguments);
            return method.getName().equals("snapshot")
                    ? telling(ReadTransaction.class, (ReadTransaction) result, called)
                    : result;
        });
    }

    /**
     * Answers what is read, ranges as lists, not before {@code answers} has what it gives out when they are asked; of
     * snapshots, too.
     */
    static <T> T answering(Class<T> type, T real, Supplier<CompletableFuture<Void>> answers) {
        return Proxied.of(type, (method, arguments) -> {
            Object result = Proxied.pass(real, method, arguments);
            if (result instanceof CompletableFuture<?> read) {
                Object value = read.join();
                return answers.get().thenApply(unused -> value);
            }
            if (result instanceof AsyncIterable<?> range) {
                return answering(AsyncIterable.class, range, answers);
            }
            return method.getName().equals("snapshot")
                    ? answering(ReadTransaction.class, (ReadTransaction) result, answers)
                    : result;
        });
    }
}
