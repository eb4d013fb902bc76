/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that lie in a file and are read through a cache. Index and filters are in memory from their first use on: a
 * state of many files is open before any of them was read.
 */
final class FileBlocks implements BlockSource {

    private final StoredAt place;
    private final BlockCache cache;
    private final RowSchema schema;
    private final long rows;
    private volatile @Nullable Opened opened;

    /** What the footer says, and a slot of the cache for each block. */
    private record Opened(BatchFormat.Footer footer, AtomicReferenceArray<BlockCache.@Nullable Entry> slots) {}

    FileBlocks(StoredAt place, BlockCache cache, BatchFormat.Footer footer) {
        this.place = place;
        this.cache = cache;
        this.schema = footer.schema();
        this.rows = footer.index().rows();
        this.opened = new Opened(footer, new AtomicReferenceArray<>(footer.positions().length));
    }

    /** Blocks whose footer is read when it is needed. */
    FileBlocks(StoredAt place, BlockCache cache, RowSchema schema, long rows) {
        this.place = place;
        this.cache = cache;
        this.schema = schema;
        this.rows = rows;
    }

    StoredAt place() {
        return place;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long bytes() {
        Opened known = opened;
        return known == null ? place.length() : known.footer.index().bytes();
    }

    @Override
    public BlockIndex index() {
        return opened().footer.index();
    }

    @Override
    public Block block(int number) {
        Opened now = opened();
        BlockCache.Entry entry = now.slots.get(number);
        if (entry != null) {
            entry.used = true;
            return entry.block;
        }
        long position = now.footer.positions()[number];
        byte[] read = new byte[now.footer.index().bytes(number) + BatchFormat.CHECKSUM];
        BatchFile file = place.file();
        file.read(position, read);
        Block block = BatchFormat.block(read, file.name(), position);
        return cache.admit(new BlockCache.Entry(this, number, block));
    }

    @Override
    public boolean mayContain(int number, long hash) {
        return HashFilter.mayContain(opened().footer.filters()[number], hash);
    }

    BlockCache.@Nullable Entry slot(int number) {
        return opened().slots.get(number);
    }

    void fill(int number, BlockCache.@Nullable Entry entry) {
        opened().slots.set(number, entry);
    }

    void release() {
        cache.forget(this);
    }

    private Opened opened() {
        Opened known = opened;
        return known == null ? readFooter() : known;
    }

    private synchronized Opened readFooter() {
        Opened known = opened;
        if (known == null) {
            BatchFormat.Footer footer = BatchFormat.footer(place.file(), place.position(), place.length());
            if (!footer.schema().equals(schema) || footer.index().rows() != rows) {
                throw new CorruptBatchException("The batch at " + place.position() + " of "
                        + place.file().name() + " has " + footer.index().rows() + " rows of " + footer.schema()
                        + ", not " + rows + " of " + schema
                        + "; take the data from another copy or an earlier version");
            }
            known = new Opened(footer, new AtomicReferenceArray<>(footer.positions().length));
            opened = known;
        }
        return known;
    }
}
