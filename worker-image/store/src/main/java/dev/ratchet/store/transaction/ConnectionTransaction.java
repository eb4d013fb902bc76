/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The object a user holds for a transaction. {@link #onError} hands the transaction on to a new object and leaves this
 * one void, as fdb-java does.
 */
final class ConnectionTransaction extends ReadView implements Transaction {

    private static final String CLOSED = "Cannot access closed object";
    private static final String INVALIDATED = "Transaction has been invalidated by reset";

    private final Executor executor;
    private final ReadTransaction snapshot;
    private final TransactionOptions options;
    private volatile boolean closed;
    private volatile boolean invalidated;

    ConnectionTransaction(TransactionCore core, Executor executor) {
        super(core, false);
        this.executor = executor;
        snapshot = new SnapshotReads(this);
        options = new TransactionOptions((code, value) -> {
            check();
            core.setOption(code, value);
        });
    }

    @Override
    void check() {
        if (invalidated) {
            throw new IllegalStateException(INVALIDATED);
        }
        if (closed) {
            throw new IllegalStateException(CLOSED);
        }
    }

    @Override
    void remove(byte[] key) {
        clear(key);
    }

    static byte[] nonNull(byte @Nullable [] bytes, String name) {
        if (bytes == null) {
            throw new IllegalArgumentException(name + " cannot be null");
        }
        return bytes;
    }

    @Override
    public boolean isSnapshot() {
        return false;
    }

    @Override
    public ReadTransaction snapshot() {
        return snapshot;
    }

    @Override
    public TransactionOptions options() {
        return options;
    }

    @Override
    public Executor getExecutor() {
        return executor;
    }

    @Override
    public Database getDatabase() {
        return core.database;
    }

    @Override
    public boolean addReadConflictRangeIfNotSnapshot(byte[] begin, byte[] end) {
        addReadConflictRange(begin, end);
        return true;
    }

    @Override
    public boolean addReadConflictKeyIfNotSnapshot(byte[] key) {
        addReadConflictKey(key);
        return true;
    }

    @Override
    public void addReadConflictRange(byte[] begin, byte[] end) {
        check();
        checkRange(begin, end);
        conflictNow(() -> core.reads().addExplicitConflict(begin, end));
    }

    @Override
    public void addReadConflictKey(byte[] key) {
        check();
        byte[] begin = nonNull(key, "Key");
        addReadConflictRange(begin, Keys.after(begin));
    }

    @Override
    public void addWriteConflictRange(byte[] begin, byte[] end) {
        check();
        checkRange(begin, end);
        conflictNow(() -> core.attempt().writes.addConflict(begin, end));
    }

    @Override
    public void addWriteConflictKey(byte[] key) {
        check();
        byte[] begin = nonNull(key, "Key");
        addWriteConflictRange(begin, Keys.after(begin));
    }

    private static void checkRange(byte @Nullable [] begin, byte @Nullable [] end) {
        if (Keys.compare(nonNull(begin, "Begin key"), nonNull(end, "End key")) > 0) {
            throw new EmbeddedFDBException(ErrorCode.INVERTED_RANGE);
        }
    }

    private void conflictNow(Runnable add) {
        Attempt attempt = core.attempt();
        attempt.defer(() -> {
            if (attempt.commitStarted) {
                throw new EmbeddedFDBException(ErrorCode.USED_DURING_COMMIT);
            }
            add.run();
        });
    }

    @Override
    public void set(byte[] key, byte[] value) {
        byte[] copiedKey = nonNull(key, "Key").clone();
        byte[] copiedValue = nonNull(value, "Value").clone();
        check();
        if (SpecialKeys.isSpecial(copiedKey)) {
            core.attempt().defer(() -> core.specialKeys().write(copiedKey, null));
            return;
        }
        core.write((attempt, addConflict) -> {
            attempt.writes.set(copiedKey, copiedValue, addConflict);
            notifyWatches(attempt, copiedKey, watch -> watch.set(copiedValue));
        });
    }

    @Override
    public void clear(byte[] key) {
        check();
        byte[] copy = nonNull(key, "Key").clone();
        if (SpecialKeys.isSpecial(copy)) {
            core.attempt().defer(() -> core.specialKeys().write(copy, null));
            return;
        }
        core.write((attempt, addConflict) -> {
            attempt.writes.clear(copy, addConflict);
            notifyWatches(attempt, copy, watch -> watch.set(null));
        });
    }

    @Override
    public void clear(byte[] begin, byte[] end) {
        check();
        byte[] from = nonNull(begin, "Begin key").clone();
        byte[] to = nonNull(end, "End key").clone();
        core.attempt().defer(() -> {
            if (Keys.compare(from, to) > 0) {
                throw new EmbeddedFDBException(ErrorCode.INVERTED_RANGE);
            }
        });
        if (SpecialKeys.isSpecial(from) && SpecialKeys.isSpecial(to)) {
            core.attempt().defer(() -> core.specialKeys().write(from, to));
            return;
        }
        core.write((attempt, addConflict) -> {
            attempt.writes.clear(from, to, addConflict);
            for (TransactionWatch watch : attempt.watches) {
                if (Keys.compare(watch.key, from) >= 0 && Keys.compare(watch.key, to) < 0 && watch.set(null)) {
                    core.fire(watch);
                }
            }
        });
    }

    @Override
    public void clear(Range range) {
        clear(range.begin, range.end);
    }

    @Override
    @Deprecated
    public void clearRangeStartsWith(byte[] prefix) {
        clear(Range.startsWith(nonNull(prefix, "Prefix")));
    }

    @Override
    public void mutate(MutationType type, byte[] key, byte[] param) {
        check();
        byte[] copiedKey = nonNull(key, "Key").clone();
        byte[] copiedParam = nonNull(param, "Param").clone();
        core.write((attempt, addConflict) -> {
            byte[] kept =
                    attempt.writes.mutate(type.code(), copiedKey, copiedParam, addConflict, attempt.knownReadVersion());
            notifyWatches(attempt, kept, watch -> {
                watch.change();
                return true;
            });
        });
    }

    private void notifyWatches(Attempt attempt, byte[] key, Predicate<TransactionWatch> change) {
        for (TransactionWatch watch : attempt.watches) {
            if (Arrays.equals(watch.key, key) && change.test(watch)) {
                core.fire(watch);
            }
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> commit() {
        check();
        FDBException deferred = core.attempt().deferredError();
        return deferred != null ? CompletableFuture.failedFuture(deferred) : core.commit();
    }

    @Override
    public Long getCommittedVersion() {
        check();
        return core.attempt().committedVersion;
    }

    @Override
    public CompletableFuture<byte[]> getVersionstamp() {
        check();
        Attempt attempt = core.attempt();
        synchronized (attempt) {
            FDBException deferred = attempt.deferredError();
            if (deferred != null) {
                return CompletableFuture.failedFuture(deferred);
            }
            if (attempt.commitStarted) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.USED_DURING_COMMIT));
            }
            FDBException ended = attempt.endedBy();
            return ended != null
                    ? CompletableFuture.failedFuture(ended)
                    : attempt.versionstamp().copy();
        }
    }

    @Override
    public CompletableFuture<Long> getApproximateSize() {
        check();
        Attempt attempt = core.attempt();
        synchronized (attempt) {
            FDBException deferred = attempt.deferredError();
            return deferred != null
                    ? CompletableFuture.failedFuture(deferred)
                    : CompletableFuture.completedFuture(attempt.writes.approximateBytes() + attempt.readConflictBytes);
        }
    }

    @Override
    public CompletableFuture<Transaction> onError(@Nullable Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (!(cause instanceof FDBException known)) {
            return CompletableFuture.failedFuture(
                    cause == null ? new IllegalArgumentException("error cannot be null") : cause);
        }
        check();
        invalidated = true;
        ConnectionTransaction next = new ConnectionTransaction(core, executor);
        return core.onError(known).handle((nothing, failure) -> {
            if (failure == null) {
                return next;
            }
            next.close();
            throw new CompletionException(Attempt.cause(failure));
        });
    }

    @Override
    public void cancel() {
        check();
        core.cancel();
    }

    @Override
    public CompletableFuture<@Nullable Void> watch(byte[] key) {
        check();
        byte[] copy = nonNull(key, "Key").clone();
        FDBException deferred = core.attempt().deferredError();
        return deferred != null ? CompletableFuture.failedFuture(deferred) : core.watch(copy);
    }

    @Override
    public <T> T run(Function<? super Transaction, T> retryable) {
        return retryable.apply(this);
    }

    @Override
    public <T> CompletableFuture<T> runAsync(Function<? super Transaction, ? extends CompletableFuture<T>> retryable) {
        return apply(retryable, this);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!invalidated) {
            core.close();
        }
    }
}
