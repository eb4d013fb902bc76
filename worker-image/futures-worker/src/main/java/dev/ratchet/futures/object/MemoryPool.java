/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Memory outside of the heap, up to a limit, in pieces of one size that are used again and again: what is given back is
 * free at once, whatever the garbage collector does. Grows as it is needed and does not shrink. It is this process's
 * own, or a file in a file system in memory, which other processes of the pod can map. Safe for use by several threads.
 */
final class MemoryPool {

    /** Size of the pieces that are handed out: an object wastes half of one on average. */
    static final int PIECE_BYTES = 16 << 10;

    private static final int SLAB_BYTES = 1 << 20;

    /** What is mapped at once; the memory behind it is taken when it is used. */
    private static final int MAPPED_BYTES = 64 << 20;

    /**
     * A part of the memory.
     *
     * @param offset in the file, if the memory is one
     */
    record Piece(ByteBuffer memory, long offset) {}

    private final long limitBytes;
    private final Optional<Path> file;
    private final Deque<Piece> free = new ArrayDeque<>();
    private long allocatedBytes;

    /**
     * @param limitBytes rounded down to whole pieces
     * @param file to be mapped, in memory; none: the memory is not shared
     */
    MemoryPool(long limitBytes, Optional<Path> file) {
        this.limitBytes = limitBytes - limitBytes % PIECE_BYTES;
        this.file = file;
    }

    /** Where other processes find the memory. */
    Optional<Path> file() {
        return file;
    }

    /** Pieces for so many bytes, empty; nothing if there are not enough. */
    synchronized Optional<List<Piece>> take(long bytes) {
        long pieces = Math.max(1, (bytes + PIECE_BYTES - 1) / PIECE_BYTES);
        if (pieces * PIECE_BYTES > freeBytes()) {
            return Optional.empty();
        }
        while (free.size() < pieces) {
            int slab = (int) Math.min(file.isPresent() ? MAPPED_BYTES : SLAB_BYTES, limitBytes - allocatedBytes);
            ByteBuffer memory;
            try {
                memory = file.isPresent() ? map(file.get(), slab) : ByteBuffer.allocateDirect(slab);
            } catch (OutOfMemoryError | IOException lessThanPromised) {
                return Optional.empty();
            }
            for (int at = 0; at < slab; at += PIECE_BYTES) {
                free.add(new Piece(memory.slice(at, PIECE_BYTES), allocatedBytes + at));
            }
            allocatedBytes += slab;
        }
        List<Piece> taken = new ArrayList<>((int) pieces);
        for (long i = 0; i < pieces; i++) {
            Piece piece = free.remove();
            piece.memory().clear();
            taken.add(piece);
        }
        return Optional.of(taken);
    }

    private ByteBuffer map(Path path, int bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, allocatedBytes, bytes);
        }
    }

    synchronized void giveBack(List<Piece> pieces) {
        free.addAll(pieces);
    }

    /** What can still be taken. */
    synchronized long freeBytes() {
        return limitBytes - allocatedBytes + (long) free.size() * PIECE_BYTES;
    }
}
