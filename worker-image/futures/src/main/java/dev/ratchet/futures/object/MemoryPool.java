/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Memory outside of the heap, up to a limit, in pieces of one size that are used again and again: what is given back is
 * free at once, whatever the garbage collector does. Grows as it is needed and does not shrink. Safe for use by several
 * threads.
 */
final class MemoryPool {

    /** Size of the pieces that are handed out: an object wastes half of one on average. */
    static final int PIECE_BYTES = 16 << 10;

    private static final int SLAB_BYTES = 1 << 20;

    private final long limitBytes;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private long allocatedBytes;

    /** @param limitBytes rounded down to whole pieces */
    MemoryPool(long limitBytes) {
        this.limitBytes = limitBytes - limitBytes % PIECE_BYTES;
    }

    /** Pieces for so many bytes, empty; nothing if there are not enough. */
    synchronized Optional<List<ByteBuffer>> take(long bytes) {
        long pieces = Math.max(1, (bytes + PIECE_BYTES - 1) / PIECE_BYTES);
        if (pieces * PIECE_BYTES > freeBytes()) {
            return Optional.empty();
        }
        while (free.size() < pieces) {
            int slab = (int) Math.min(SLAB_BYTES, limitBytes - allocatedBytes);
            ByteBuffer memory;
            try {
                memory = ByteBuffer.allocateDirect(slab);
            } catch (OutOfMemoryError lessThanPromised) {
                return Optional.empty();
            }
            allocatedBytes += slab;
            for (int at = 0; at < slab; at += PIECE_BYTES) {
                free.add(memory.slice(at, PIECE_BYTES));
            }
        }
        List<ByteBuffer> taken = new ArrayList<>((int) pieces);
        for (long i = 0; i < pieces; i++) {
            taken.add(free.remove().clear());
        }
        return Optional.of(taken);
    }

    synchronized void giveBack(List<ByteBuffer> pieces) {
        free.addAll(pieces);
    }

    /** What can still be taken. */
    synchronized long freeBytes() {
        return limitBytes - allocatedBytes + (long) free.size() * PIECE_BYTES;
    }
}
