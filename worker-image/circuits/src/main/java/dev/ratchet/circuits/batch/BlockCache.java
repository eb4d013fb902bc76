/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.ArrayDeque;

/**
 * Keeps blocks read from files, up to a number of bytes. A hit reads one array slot and takes no lock; blocks go by the
 * clock algorithm: the hand passes over what was used since its last visit. Shared by the threads of a process.
 */
public final class BlockCache {

    private final long bytesMax;
    private final ArrayDeque<Entry> ring = new ArrayDeque<>();
    private long bytes;
    private long misses;
    private long evictions;

    /** @param bytesMax of blocks kept; a block larger than that is kept until the next one comes */
    public BlockCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** What a source keeps in the slot of a block. */
    static final class Entry {
        final Block block;
        private final FileBlocks owner;
        private final int number;
        /** Written without a lock: a lost mark costs one read. */
        boolean used;

        Entry(FileBlocks owner, int number, Block block) {
            this.owner = owner;
            this.number = number;
            this.block = block;
        }
    }

    /** Bytes of the blocks kept. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Blocks read from files so far. */
    public synchronized long misses() {
        return misses;
    }

    /** Blocks dropped so far. */
    public synchronized long evictions() {
        return evictions;
    }

    /** Takes in a block that was read, unless another thread was faster; returns the one to use. */
    synchronized Block admit(Entry entry) {
        misses++;
        Entry present = entry.owner.slot(entry.number);
        if (present != null) {
            return present.block;
        }
        entry.owner.fill(entry.number, entry);
        ring.add(entry);
        bytes += entry.block.bytes.length;
        while (bytes > bytesMax && ring.size() > 1) {
            Entry oldest = ring.remove();
            if (oldest.used || oldest == entry) {
                oldest.used = false;
                ring.add(oldest);
            } else {
                oldest.owner.fill(oldest.number, null);
                bytes -= oldest.block.bytes.length;
                evictions++;
            }
        }
        return entry.block;
    }

    /** Drops the blocks of a source whose file goes away. */
    synchronized void forget(FileBlocks owner) {
        ring.removeIf(entry -> {
            if (entry.owner != owner) {
                return false;
            }
            owner.fill(entry.number, null);
            bytes -= entry.block.bytes.length;
            return true;
        });
    }
}
