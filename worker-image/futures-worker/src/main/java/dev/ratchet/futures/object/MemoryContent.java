/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.protocol.isolation.v1.Extent;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bytes in pieces of the pool, which go back to it when the object and all its readers have let go. */
final class MemoryContent implements Content {

    private final MemoryPool pool;
    private final List<MemoryPool.Piece> pieces;
    private int written;
    private int users = 1;

    MemoryContent(MemoryPool pool, List<MemoryPool.Piece> pieces) {
        this.pool = pool;
        this.pieces = pieces;
    }

    @Override
    public void write(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (!pieces.get(written).memory().hasRemaining()) {
                written++;
            }
            copy(bytes, pieces.get(written).memory());
        }
    }

    @Override
    public void finish(ObjectStore.Stored object) {
        pieces.forEach(piece -> piece.memory().flip());
    }

    @Override
    public Optional<SharedBytes> shared(long bytes) {
        return pool.file().map(file -> {
            SharedBytes.Builder shared = SharedBytes.newBuilder().setFile(file.toString());
            Extent.Builder last = Extent.newBuilder();
            long left = bytes;
            for (MemoryPool.Piece piece : pieces) {
                long part = Math.min(left, MemoryPool.PIECE_BYTES);
                if (last.getBytes() > 0 && piece.offset() == last.getOffset() + last.getBytes()) {
                    last.setBytes(last.getBytes() + part);
                } else {
                    add(shared, last);
                    last.setOffset(piece.offset()).setBytes(part);
                }
                left -= part;
            }
            add(shared, last);
            return shared.build();
        });
    }

    private static void add(SharedBytes.Builder shared, Extent.Builder extent) {
        if (extent.getBytes() > 0) {
            shared.addExtents(extent.build());
        }
    }

    @Override
    public void filled(long bytes) {
        long left = bytes;
        for (MemoryPool.Piece piece : pieces) {
            int part = (int) Math.min(left, MemoryPool.PIECE_BYTES);
            piece.memory().position(part);
            left -= part;
        }
    }

    @Override
    public synchronized ReadableByteChannel open() throws NoSuchFileException {
        if (users == 0) {
            throw new NoSuchFileException("The object was deleted meanwhile");
        }
        users++;
        return new Reader();
    }

    @Override
    public void release() {
        synchronized (this) {
            if (--users > 0) {
                return;
            }
        }
        pool.giveBack(pieces);
    }

    private static int copy(ByteBuffer from, ByteBuffer to) {
        int count = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), count);
        from.position(from.position() + count);
        to.position(to.position() + count);
        return count;
    }

    /** Used by one thread at a time. */
    final class Reader implements ReadableByteChannel {
        private int piece;
        private ByteBuffer current = pieces.get(0).memory().duplicate();
        private boolean closed;

        @Override
        public int read(ByteBuffer target) {
            int count = 0;
            while (target.hasRemaining()) {
                if (!current.hasRemaining()) {
                    if (piece + 1 >= pieces.size()) {
                        return count == 0 ? -1 : count;
                    }
                    current = pieces.get(++piece).memory().duplicate();
                    continue;
                }
                count += copy(current, target);
            }
            return count;
        }

        /** The next bytes, where they are until this is closed. @throws EOFException if there are fewer */
        ByteString next(int bytes) throws EOFException {
            List<ByteString> parts = new ArrayList<>();
            for (int left = bytes; left > 0; ) {
                if (!current.hasRemaining()) {
                    if (piece + 1 >= pieces.size()) {
                        throw new EOFException("The object ends " + left + " bytes too early");
                    }
                    current = pieces.get(++piece).memory().duplicate();
                    continue;
                }
                int part = Math.min(left, current.remaining());
                parts.add(UnsafeByteOperations.unsafeWrap(current.slice(current.position(), part)));
                current.position(current.position() + part);
                left -= part;
            }
            return ByteString.copyFrom(parts); // which joins them as they are
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                release();
            }
        }
    }
}
