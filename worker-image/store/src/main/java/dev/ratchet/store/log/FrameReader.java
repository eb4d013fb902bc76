/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the frames of files, each in order, through a window that moves. For one thread at a time. */
final class FrameReader {

    private static final int WINDOW_BYTES = 1 << 20;

    private Disk.@Nullable File file;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private long windowStart;

    /** Goes to the beginning of a file. */
    void begin(Disk.File next) {
        file = next;
        windowStart = 0;
        window.clear().limit(0);
    }

    /** Where in the file the next frame begins. */
    long position() {
        return windowStart + window.position();
    }

    /** The payload of the next frame, void after the next call; null when no whole, sound frame follows. */
    @Nullable
    ByteBuffer next() throws IOException {
        if (window.remaining() < LogFrames.HEADER_BYTES) {
            fill(WINDOW_BYTES);
        }
        if (window.remaining() >= LogFrames.HEADER_BYTES) {
            int length = window.getInt(window.position());
            if (length > 0
                    && length <= LogFrames.PAYLOAD_BYTES_MAX
                    && length + LogFrames.HEADER_BYTES > window.remaining()) {
                fill(Math.max(WINDOW_BYTES, length + LogFrames.HEADER_BYTES));
            }
        }
        return LogFrames.take(window);
    }

    private void fill(int capacity) throws IOException {
        windowStart = position();
        // What was given out of it is void by now: a start reads a gigabyte through it without making that as garbage.
        ByteBuffer next = window.capacity() < capacity ? ByteBuffer.allocate(capacity) : window.clear();
        Objects.requireNonNull(file).read(next, windowStart);
        window = next.flip();
    }
}
