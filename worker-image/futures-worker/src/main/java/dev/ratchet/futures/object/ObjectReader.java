/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.futures.model.LargeMessages;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** A held object, piece by piece. Used by one thread at a time. */
final class ObjectReader implements AutoCloseable {

    private final ReadableByteChannel channel;
    private long left;

    ObjectReader(ReadableByteChannel channel, long bytes) {
        this.channel = channel;
        this.left = bytes;
    }

    /** Whether there is another piece. */
    boolean hasNext() {
        return left > 0;
    }

    /** The next piece, at least a byte. @throws IOException if the object is damaged or ends too early */
    ByteString next() throws IOException {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(left, LargeMessages.PIECE_BYTES));
        while (piece.hasRemaining()) {
            if (channel.read(piece) < 0) {
                throw new EOFException("The object ends " + left + " bytes too early");
            }
        }
        left -= piece.capacity();
        return UnsafeByteOperations.unsafeWrap(piece.flip());
    }

    /** As {@link #next}, but what is in memory stays there: to be used up before this is closed. */
    ByteString nextInPlace() throws IOException {
        if (!(channel instanceof MemoryContent.Reader memory)) {
            return next();
        }
        ByteString piece = memory.next((int) Math.min(left, LargeMessages.PIECE_BYTES));
        left -= piece.size();
        return piece;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
