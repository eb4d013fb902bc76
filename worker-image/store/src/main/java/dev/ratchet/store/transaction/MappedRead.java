/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.async.AsyncUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The second half of a mapped range read: for each row of the first, the rows that the mapper names by it. */
final class MappedRead {

    /** Most rows that one row may be mapped to, else 2033: FoundationDB's own default. */
    static final int ROWS_MAX = 2000;

    private static final int BYTES_MAX = 10_000_000;
    private static final int AT_ONCE = 16;

    private final StoreConnection connection;
    private final long version;
    private final byte[] mapper;

    MappedRead(StoreConnection connection, long version, byte[] mapper) {
        this.connection = connection;
        this.version = version;
        this.mapper = mapper;
    }

    /** The same rows, as {@link MappedKeyValue}. Fails with the code of what is wrong with the mapper or a row. */
    CompletableFuture<MergedRows> of(MergedRows found) {
        Mapper parsed = Mapper.parse(mapper);
        List<KeyValue> mapped = new ArrayList<>(found.rows().size());
        return from(0, found, parsed, mapped);
    }

    private CompletableFuture<MergedRows> from(int first, MergedRows found, Mapper parsed, List<KeyValue> mapped) {
        if (first >= found.rows().size()) {
            return CompletableFuture.completedFuture(
                    new MergedRows(mapped, found.more(), found.readToBegin(), found.readThroughEnd()));
        }
        int next = Math.min(first + AT_ONCE, found.rows().size());
        List<CompletableFuture<MappedKeyValue>> reads = new ArrayList<>();
        for (KeyValue row : found.rows().subList(first, next)) {
            reads.add(read(row, parsed.rangeOf(row)));
        }
        return AsyncUtil.whenAll(reads).thenCompose(done -> {
            reads.forEach(read -> mapped.add(read.join()));
            return from(next, found, parsed, mapped);
        });
    }

    private CompletableFuture<MappedKeyValue> read(KeyValue row, KeyRange range) {
        RangeRead read = RangeRead.ofKeys(version, range.begin(), range.end(), ROWS_MAX, BYTES_MAX, false);
        return connection.range(read).thenApply(chunk -> {
            if (chunk.more()) {
                throw new EmbeddedFDBException(ErrorCode.MAPPED_RANGE_TOO_LARGE);
            }
            return new MappedKeyValue(row.getKey(), row.getValue(), range.begin(), range.end(), chunk.rows());
        });
    }
}
