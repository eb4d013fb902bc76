/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import com.apple.foundationdb.KeySelector;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.transaction.WatchRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection to an engine that others use too: closing it leaves the engine alone. */
record SharedConnection(StoreConnection engine) implements StoreConnection {

    @Override
    public CompletableFuture<Long> readVersion(ReadVersionRequest request) {
        return engine.readVersion(request);
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(long version, byte[] key) {
        return engine.get(version, key);
    }

    @Override
    public CompletableFuture<byte[]> resolve(long version, KeySelector selector) {
        return engine.resolve(version, selector);
    }

    @Override
    public CompletableFuture<RangeChunk> range(RangeRead read) {
        return engine.range(read);
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(CommitRequest request) {
        return engine.commit(request);
    }

    @Override
    public CompletableFuture<@Nullable CommitOutcome> settle(RequestId requestId) {
        return engine.settle(requestId);
    }

    @Override
    public CompletableFuture<@Nullable Void> watch(WatchRequest request) {
        return engine.watch(request);
    }

    @Override
    public CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end) {
        return engine.estimatedSizeBytes(begin, end);
    }

    @Override
    public CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes) {
        return engine.splitPoints(begin, end, chunkBytes);
    }

    @Override
    public CompletableFuture<byte[]> status() {
        return engine.status();
    }

    @Override
    public void close() {}
}
