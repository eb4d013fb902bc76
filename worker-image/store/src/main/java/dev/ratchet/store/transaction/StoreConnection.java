/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeySelector;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction asks of an engine: versioned reads, one commit, watches. Implemented by the engine itself and by
 * the remote client; {@link ConnectionDatabase} makes the interfaces of fdb-java out of it.
 *
 * <p>Every method returns at once and may be called from any thread. Futures fail with {@link EmbeddedFDBException}
 * whose code is FoundationDB's. Byte arrays that are passed in or handed out are never changed afterwards by either
 * side. Reads see exactly the commits up to their version; a version below the window fails with 1007, one that does
 * not come into being within a second with 1009.
 */
public interface StoreConnection extends AutoCloseable {

    /**
     * A version at which every commit is visible whose future had completed before this call. Fails with 1038 when the
     * database is locked and the request is not lock aware.
     */
    CompletableFuture<Long> readVersion(ReadVersionRequest request);

    /** The value of {@code key} at {@code version}, or null where there is none. */
    CompletableFuture<byte @Nullable []> get(long version, byte[] key);

    /** The first read of a transaction: its read version, which is there before the value is, and the value. */
    record FirstRead(CompletableFuture<Long> version, CompletableFuture<byte @Nullable []> value) {}

    /** Both {@link #readVersion} and {@link #get} at that version: one way there and back where the store is remote. */
    default FirstRead firstGet(ReadVersionRequest request, byte[] key) {
        CompletableFuture<Long> version = readVersion(request);
        return new FirstRead(version, TransactionReads.at(version, known -> get(known, key)));
    }

    /**
     * The key that {@code selector} stands for at {@code version}; the empty key when it runs off the start,
     * {@code \xff\xff} when it runs off the end. Offsets are clamped to ±{@value Limits#SELECTOR_OFFSET_MAX}.
     */
    CompletableFuture<byte[]> resolve(long version, KeySelector selector);

    /** Rows between two selectors in either direction, up to a limit of rows and of bytes; at least one row if any. */
    CompletableFuture<RangeChunk> range(RangeRead read);

    /**
     * Commits or fails as a whole: 1007 when the read version is out of the window, 1020 ({@link ConflictException}) on
     * conflict, 1021 when the outcome can not be known but no late commit can follow.
     */
    CompletableFuture<CommitOutcome> commit(CommitRequest request);

    /**
     * What became of the commit with this id, null when it did not happen; from then on it can not happen any more. For
     * commits of the last {@value Limits#REQUEST_ID_RETENTION_MILLIS} ms.
     */
    CompletableFuture<@Nullable CommitOutcome> settle(RequestId requestId);

    /**
     * Completes once the value of a key differs from the expected one at some version from the given one on. Cancelling
     * the future ends the watch.
     */
    CompletableFuture<@Nullable Void> watch(WatchRequest request);

    /** Bytes of keys and values in {@code [begin, end)}, sampled. */
    CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end);

    /** {@code begin}, keys about {@code chunkBytes} of data apart, {@code end}. */
    CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes);

    /** State of the engine as a JSON document, in the manner of FoundationDB's {@code status json}. */
    CompletableFuture<byte[]> status();

    /** Ends this connection: what is pending fails with 1025. */
    @Override
    void close();
}
