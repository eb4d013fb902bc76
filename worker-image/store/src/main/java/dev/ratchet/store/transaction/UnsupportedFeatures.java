/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Tenant;
import com.apple.foundationdb.Transaction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tenants and blob granules: in fdb-java's interfaces up to 7.4, gone with 8.0, and not offered here. Each call fails
 * with the code that a cluster without them gives. To be deleted with them.
 */
final class UnsupportedFeatures implements Tenant {

    private final byte[] name;
    private final Executor executor;

    UnsupportedFeatures(byte[] name, Executor executor) {
        this.name = name;
        this.executor = executor;
    }

    static <T> CompletableFuture<T> blobGranules() {
        return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.UNSUPPORTED_OPERATION));
    }

    private static EmbeddedFDBException tenants() {
        return new EmbeddedFDBException(ErrorCode.TENANTS_DISABLED);
    }

    @Override
    public Transaction createTransaction(Executor ignored) {
        throw tenants();
    }

    @Override
    public Transaction createTransaction(Executor ignored, @Nullable EventKeeper eventKeeper) {
        throw tenants();
    }

    @Override
    public byte[] getName() {
        return name;
    }

    @Override
    public <T> T read(Function<? super ReadTransaction, T> retryable, Executor ignored) {
        throw tenants();
    }

    @Override
    public <T> CompletableFuture<T> readAsync(
            Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable, Executor ignored) {
        return CompletableFuture.failedFuture(tenants());
    }

    @Override
    public <T> T run(Function<? super Transaction, T> retryable, Executor ignored) {
        throw tenants();
    }

    @Override
    public <T> CompletableFuture<T> runAsync(
            Function<? super Transaction, ? extends CompletableFuture<T>> retryable, Executor ignored) {
        return CompletableFuture.failedFuture(tenants());
    }

    @Override
    public <T> T read(Function<? super ReadTransaction, T> retryable) {
        return read(retryable, executor);
    }

    @Override
    public <T> CompletableFuture<T> readAsync(
            Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable) {
        return readAsync(retryable, executor);
    }

    @Override
    public <T> T run(Function<? super Transaction, T> retryable) {
        return run(retryable, executor);
    }

    @Override
    public <T> CompletableFuture<T> runAsync(Function<? super Transaction, ? extends CompletableFuture<T>> retryable) {
        return runAsync(retryable, executor);
    }

    @Override
    public CompletableFuture<byte[]> purgeBlobGranules(
            byte[] begin, byte[] end, long version, boolean force, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Void> waitPurgeGranulesComplete(byte[] purgeKey, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> blobbifyRange(byte[] begin, byte[] end, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> blobbifyRangeBlocking(byte[] begin, byte[] end, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> unblobbifyRange(byte[] begin, byte[] end, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<KeyRangeArrayResult> listBlobbifiedRanges(
            byte[] begin, byte[] end, int limit, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Long> verifyBlobRange(byte[] begin, byte[] end, long version, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> flushBlobRange(
            byte[] begin, byte[] end, boolean compact, long version, Executor ignored) {
        return blobGranules();
    }

    @Override
    public CompletableFuture<Long> getId(Executor ignored) {
        return CompletableFuture.failedFuture(tenants());
    }

    @Override
    public void close() {}

    @Override
    public Executor getExecutor() {
        return executor;
    }
}
