/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.List;

/** Blocks that are all in memory. */
final class MemoryBlocks implements BlockSource {

    private final Block[] blocks;
    private final BlockIndex index = new BlockIndex();

    MemoryBlocks(List<Block> blocks) {
        this.blocks = blocks.toArray(Block[]::new);
        blocks.forEach(index::add);
    }

    @Override
    public BlockIndex index() {
        return index;
    }

    @Override
    public long rows() {
        return index.rows();
    }

    @Override
    public long bytes() {
        return index.bytes();
    }

    @Override
    public Block block(int number) {
        return blocks[number];
    }

    @Override
    public boolean mayContain(int number, long hash) {
        return blocks[number].mayContain(hash);
    }
}
