/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/** Gives the blocks of a batch, from memory or from a file through a cache. Any number of threads may ask at once. */
sealed interface BlockSource permits MemoryBlocks, FileBlocks {

    BlockIndex index();

    /** Rows of all blocks. */
    long rows();

    /** Bytes of all blocks. */
    long bytes();

    /** The block, read if need be. */
    Block block(int number);

    /** Whether a row with this hash may be in a block that begins below it; false is certain and needs no read. */
    boolean mayContain(int number, long hash);
}
