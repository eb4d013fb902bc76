/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.coordinator.Term;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Transactions that commit only while this process holds its term: see {@link Term}. */
interface FencedStore {

    <T> CompletableFuture<T> write(Function<Transaction, CompletableFuture<T>> change);

    <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> query);

    static FencedStore of(Term term) {
        return new FencedStore() {
            @Override
            public <T> CompletableFuture<T> write(Function<Transaction, CompletableFuture<T>> change) {
                return term.write(change);
            }

            @Override
            public <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> query) {
                return term.read(query);
            }
        };
    }
}
