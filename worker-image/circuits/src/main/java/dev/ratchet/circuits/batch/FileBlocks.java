/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Blocks that lie in a file and are read through a cache; index and filters are in memory. */
final class FileBlocks implements BlockSource {

    private final StoredAt place;
    private final BlockCache cache;
    private final BlockIndex index;
    private final long[] positions;
    private final long[][] filters;
    private final AtomicReferenceArray<BlockCache.@Nullable Entry> slots;

    FileBlocks(StoredAt place, BlockCache cache, BatchFormat.Footer footer) {
        this.place = place;
        this.cache = cache;
        this.index = footer.index();
        this.positions = footer.positions();
        this.filters = footer.filters();
        this.slots = new AtomicReferenceArray<>(positions.length);
    }

    StoredAt place() {
        return place;
    }

    @Override
    public BlockIndex index() {
        return index;
    }

    @Override
    public Block block(int number) {
        BlockCache.Entry entry = slots.get(number);
        if (entry != null) {
            entry.used = true;
            return entry.block;
        }
        byte[] read = new byte[index.bytes(number) + BatchFormat.CHECKSUM];
        BatchFile file = place.file();
        file.read(positions[number], read);
        Block block = BatchFormat.block(read, file.name(), positions[number]);
        return cache.admit(new BlockCache.Entry(this, number, block));
    }

    @Override
    public boolean mayContain(int number, long hash) {
        return HashFilter.mayContain(filters[number], hash);
    }

    BlockCache.@Nullable Entry slot(int number) {
        return slots.get(number);
    }

    void fill(int number, BlockCache.@Nullable Entry entry) {
        slots.set(number, entry);
    }

    void release() {
        cache.forget(this);
    }
}
