/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyArrayResult;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reading half of a transaction object: serializable, or snapshot. Checks arguments, then state, then reads. */
abstract class ReadView implements ReadTransaction {

    final TransactionCore core;
    private final boolean snapshotReads;

    ReadView(TransactionCore core, boolean snapshotReads) {
        this.core = core;
        this.snapshotReads = snapshotReads;
    }

    /** Throws if the object that the user holds is void. */
    abstract void check();

    final <T> CompletableFuture<T> unlessDeferred(Supplier<CompletableFuture<T>> call) {
        FDBException deferred = core.attempt().deferredError();
        return deferred != null ? CompletableFuture.failedFuture(deferred) : call.get();
    }

    @Override
    public CompletableFuture<Long> getReadVersion() {
        check();
        return unlessDeferred(() -> {
            Attempt attempt = core.attempt();
            FDBException ended = attempt.endedBy();
            return ended != null
                    ? CompletableFuture.failedFuture(ended)
                    : attempt.unlessEnded(core.reads().version());
        });
    }

    @Override
    public void setReadVersion(long version) {
        check();
        Attempt attempt = core.attempt();
        attempt.defer(() -> {
            if (attempt.hasVersion || attempt.readVersion() != null) {
                throw new EmbeddedFDBException(ErrorCode.READ_VERSION_ALREADY_SET);
            }
            if (version <= 0) {
                throw new EmbeddedFDBException(ErrorCode.VERSION_INVALID);
            }
            attempt.setReadVersion(CompletableFuture.completedFuture(version));
        });
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(byte[] key) {
        check();
        byte[] copy = ConnectionTransaction.nonNull(key, "Key").clone();
        CompletableFuture<byte @Nullable []> value = unlessDeferred(() -> SpecialKeys.isSpecial(copy)
                ? core.specialKeys().get(copy)
                : core.reads().get(copy, snapshotReads));
        FetchEvents events = core.events;
        return events == null ? value : events.value(value);
    }

    @Override
    public CompletableFuture<byte[]> getKey(KeySelector selector) {
        check();
        return unlessDeferred(() -> core.reads().getKey(selector, snapshotReads));
    }

    /** One fetch of rows; the whole of what the interfaces below are made of. */
    final CompletableFuture<MergedRows> fetch(
            KeySelector begin, KeySelector end, int rowLimit, long byteLimit, boolean reverse) {
        check();
        return unlessDeferred(() -> SpecialKeys.isSpecial(begin.getKey()) && SpecialKeys.isSpecialEnd(end.getKey())
                ? core.specialKeys().getRange(begin, end, rowLimit, byteLimit, reverse)
                : core.reads().getRange(begin, end, rowLimit, byteLimit, reverse, snapshotReads));
    }

    /** As {@link #fetch}, with what the mapper finds by each row. */
    final CompletableFuture<MergedRows> fetchMapped(
            KeySelector begin, KeySelector end, byte[] mapper, int rowLimit, long byteLimit, boolean reverse) {
        check();
        return unlessDeferred(() -> SpecialKeys.isSpecial(begin.getKey()) && SpecialKeys.isSpecialEnd(end.getKey())
                ? CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION))
                : core.reads().getMappedRange(begin, end, mapper, rowLimit, byteLimit, reverse, snapshotReads));
    }

    @Override
    public final <T> T read(Function<? super ReadTransaction, T> retryable) {
        return retryable.apply(this);
    }

    @Override
    public final <T> CompletableFuture<T> readAsync(
            Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable) {
        return apply(retryable, this);
    }

    /** What a function does with a transaction, once: nothing is retried within one. */
    static <V, T> CompletableFuture<T> apply(
            Function<? super V, ? extends CompletableFuture<T>> retryable, V transaction) {
        try {
            return retryable.apply(transaction);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Clears a key that an iterator of this view has read. */
    abstract void remove(byte[] key);

    @Override
    public AsyncIterable<KeyValue> getRange(
            KeySelector begin, KeySelector end, int limit, boolean reverse, StreamingMode mode) {
        return RangeIterable.of(this, begin, end, limit, reverse, mode);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end) {
        return getRange(begin, end, ROW_LIMIT_UNLIMITED);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end, int limit) {
        return getRange(begin, end, limit, false);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end, int limit, boolean reverse) {
        return getRange(begin, end, limit, reverse, StreamingMode.ITERATOR);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end) {
        return getRange(begin, end, ROW_LIMIT_UNLIMITED);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit) {
        return getRange(begin, end, limit, false);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit, boolean reverse) {
        return getRange(begin, end, limit, reverse, StreamingMode.ITERATOR);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit, boolean reverse, StreamingMode mode) {
        return getRange(
                KeySelector.firstGreaterOrEqual(ConnectionTransaction.nonNull(begin, "Begin key")),
                KeySelector.firstGreaterOrEqual(ConnectionTransaction.nonNull(end, "End key")),
                limit,
                reverse,
                mode);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(Range range) {
        return getRange(range, ROW_LIMIT_UNLIMITED);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(Range range, int limit) {
        return getRange(range, limit, false);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(Range range, int limit, boolean reverse) {
        return getRange(range, limit, reverse, StreamingMode.ITERATOR);
    }

    @Override
    public AsyncIterable<KeyValue> getRange(Range range, int limit, boolean reverse, StreamingMode mode) {
        return getRange(range.begin, range.end, limit, reverse, mode);
    }

    @Override
    public AsyncIterable<MappedKeyValue> getMappedRange(
            KeySelector begin, KeySelector end, byte[] mapper, int limit, boolean reverse, StreamingMode mode) {
        byte[] copy = ConnectionTransaction.nonNull(mapper, "Mapper").clone();
        return RangeIterable.mapped(this, copy, begin, end, limit, reverse, mode);
    }

    @Override
    public CompletableFuture<Long> getEstimatedRangeSizeBytes(byte[] begin, byte[] end) {
        check();
        if (isInverted(begin, end)) {
            return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.INVERTED_RANGE));
        }
        return unlessDeferred(() -> core.estimatedSizeBytes(begin, end));
    }

    @Override
    public CompletableFuture<Long> getEstimatedRangeSizeBytes(Range range) {
        return getEstimatedRangeSizeBytes(range.begin, range.end);
    }

    @Override
    public CompletableFuture<KeyArrayResult> getRangeSplitPoints(byte[] begin, byte[] end, long chunkSize) {
        check();
        if (isInverted(begin, end)) {
            return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.INVERTED_RANGE));
        }
        return unlessDeferred(() -> core.splitPoints(begin, end, chunkSize)).thenApply(ReadView::keyArray);
    }

    @Override
    public CompletableFuture<KeyArrayResult> getRangeSplitPoints(Range range, long chunkSize) {
        return getRangeSplitPoints(range.begin, range.end, chunkSize);
    }

    private static boolean isInverted(byte @Nullable [] begin, byte @Nullable [] end) {
        return Keys.compare(
                        ConnectionTransaction.nonNull(begin, "Begin key"),
                        ConnectionTransaction.nonNull(end, "End key"))
                > 0;
    }

    private static KeyArrayResult keyArray(List<byte[]> keys) {
        int[] lengths = keys.stream().mapToInt(key -> key.length).toArray();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keys.forEach(bytes::writeBytes);
        return new KeyArrayResult(bytes.toByteArray(), lengths);
    }

    @Override
    public CompletableFuture<KeyRangeArrayResult> getBlobGranuleRanges(byte[] begin, byte[] end, int rowLimit) {
        return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.UNSUPPORTED_OPERATION));
    }
}
