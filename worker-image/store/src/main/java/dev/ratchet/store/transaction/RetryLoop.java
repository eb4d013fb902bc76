/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Applies a function to a transaction and commits it, again and again until that succeeds or an error comes which a
 * retry does not answer. Callbacks instead of a chain of futures: every transaction comes through here.
 *
 * @param result as the chain of fdb-java gives it: callbacks get errors in a {@link CompletionException}
 */
record RetryLoop<T>(
        Function<? super Transaction, ? extends CompletableFuture<T>> retryable, CompletableFuture<T> result) {

    void attempt(Transaction transaction) {
        CompletableFuture<T> applied = GuardedCallbacks.begin(
                () -> Objects.requireNonNull(retryable.apply(transaction), "The function gave no future"));
        applied.whenComplete((value, error) -> {
            if (error == null) {
                commit(transaction, value);
            } else {
                retry(transaction, error);
            }
        });
    }

    private void commit(Transaction transaction, T value) {
        GuardedCallbacks.begin(transaction::commit).whenComplete((nothing, error) -> {
            if (error == null) {
                close(transaction);
                result.complete(value);
            } else {
                retry(transaction, error);
            }
        });
    }

    private void retry(Transaction transaction, Throwable error) {
        Throwable cause = Attempt.cause(error);
        if (!(cause instanceof RuntimeException)) {
            fail(transaction, cause);
            return;
        }
        GuardedCallbacks.begin(() -> transaction.onError(cause)).whenComplete((following, refusal) -> {
            if (refusal == null) {
                attempt(following);
            } else {
                fail(transaction, Attempt.cause(refusal));
            }
        });
    }

    private void fail(Transaction transaction, Throwable cause) {
        close(transaction);
        result.completeExceptionally(new CompletionException(cause));
    }

    private static void close(Transaction transaction) {
        GuardedCallbacks.run("closing a transaction", transaction::close);
    }
}
