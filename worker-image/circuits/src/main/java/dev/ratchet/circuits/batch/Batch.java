/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable Z-set: rows with non-zero weights, no row twice, sorted by (unsigned hash of the key, key, value). It is
 * a range of rows over shared blocks, in memory or in a file, so that a slice copies nothing. Equal batches have equal
 * bytes by {@link BatchFormat}. Threads may share a batch; each takes cursors of its own.
 */
public final class Batch {

    private final RowSchema schema;
    private final BlockSource source;
    private final long from;
    private final long to;

    Batch(RowSchema schema, BlockSource source, long from, long to) {
        this.schema = schema;
        this.source = source;
        this.from = from;
        this.to = to;
    }

    static Batch of(RowSchema schema, BlockSource source) {
        return new Batch(schema, source, 0, source.rows());
    }

    public static Batch empty(RowSchema schema) {
        return of(schema, new MemoryBlocks(List.of()));
    }

    public RowSchema schema() {
        return schema;
    }

    public long rowCount() {
        return to - from;
    }

    public boolean isEmpty() {
        return from == to;
    }

    /** Bytes of the blocks behind this batch; for a slice its share of them by rows. */
    public long byteCount() {
        long rows = source.rows();
        return to - from == rows ? source.bytes() : (long) ((double) source.bytes() * (to - from) / rows);
    }

    /** Whether it is all rows of the blocks behind it, not a slice. */
    public boolean isWhole() {
        return to - from == source.rows();
    }

    /**
     * Where the batch lies, or that it is a slice of, whose rows are read from a file when they are needed; null for
     * one in memory.
     */
    public @Nullable StoredAt storedAt() {
        return source instanceof FileBlocks blocks ? blocks.place() : null;
    }

    /** A new cursor on the first row. */
    public BatchCursor cursor() {
        return new BatchCursor(this, true);
    }

    /** A new cursor that stands on no row until its first seek, and reads no block before. */
    public BatchCursor probe() {
        return new BatchCursor(this, false);
    }

    /** The rows whose hashes are in a range, without copying any. */
    public Batch slice(HashRange range) {
        long first = range.first() == 0 ? from : Math.max(from, lowerBound(range.first()));
        long last = range.last() == -1L ? to : Math.min(to, upperBound(range.last()));
        return first == from && last == to ? this : new Batch(schema, source, first, Math.max(first, last));
    }

    /**
     * Gives the rows of each thread of a map, without copying any: a slice for each run of its shards that has rows,
     * ascending.
     *
     * @param into takes a slice and the number of its thread
     */
    public void split(ShardMap map, ObjIntConsumer<Batch> into) {
        int[] owners = map.owners();
        long first = from;
        while (first < to) {
            int shard = HashRange.shardOf(hash(first), owners.length);
            long last = map.lastHash(shard);
            long end = last == -1L ? to : Math.min(to, upperBound(last));
            into.accept(first == from && end == to ? this : new Batch(schema, source, first, end), owners[shard]);
            first = end;
        }
    }

    private long hash(long row) {
        BlockIndex index = source.index();
        int number = index.blockOfRow(row);
        return source.block(number).hash((int) (row - index.rowStart(number)));
    }

    /** Identifies the blocks behind the batch: equal by identity for all slices of one batch. */
    public Object identity() {
        return source;
    }

    BlockSource source() {
        return source;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    /** The number of the first row of the source with at least this hash. */
    long lowerBound(long hash) {
        return bound(hash, false);
    }

    /** The number of the first row of the source with a hash over this one. */
    long upperBound(long hash) {
        return bound(hash, true);
    }

    private long bound(long hash, boolean above) {
        BlockIndex index = source.index();
        int number = index.blockBefore(hash, above);
        return number < 0 ? 0 : index.rowStart(number) + source.block(number).find(hash, 0, above);
    }
}
