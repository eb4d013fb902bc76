/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.futures.code.Serialized;
import dev.ratchet.protocol.isolation.v1.Extent;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes bytes of another process where they are, by mapping the file that they are in. */
final class SharedMemory {

    /** What is mapped at once, which costs address space only. */
    private static final long WINDOW_BYTES = 1L << 30;

    private SharedMemory() {}

    /** Bytes that another process has written. */
    static Serialized read(SharedBytes shared) throws IOException {
        List<ByteBuffer> parts = map(shared, FileChannel.MapMode.READ_ONLY, StandardOpenOption.READ);
        return () -> new Parts(parts);
    }

    /** Writes the bytes to where another process reads them. */
    static void write(SharedBytes shared, byte[] bytes) throws IOException {
        int written = 0;
        for (ByteBuffer part : map(
                shared,
                FileChannel.MapMode.READ_WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            int length = Math.min(part.remaining(), bytes.length - written);
            part.put(bytes, written, length);
            written += length;
        }
    }

    private static List<ByteBuffer> map(SharedBytes shared, FileChannel.MapMode mode, OpenOption... options)
            throws IOException {
        List<ByteBuffer> parts = new ArrayList<>();
        Map<Long, ByteBuffer> windows = new HashMap<>();
        long end = shared.getExtentsList().stream()
                .mapToLong(extent -> extent.getOffset() + extent.getBytes())
                .max()
                .orElse(0);
        try (FileChannel channel = FileChannel.open(Path.of(shared.getFile()), options)) {
            for (Extent extent : shared.getExtentsList()) {
                long last = extent.getOffset() + extent.getBytes();
                for (long at = extent.getOffset(); at < last; ) {
                    long window = at / WINDOW_BYTES * WINDOW_BYTES;
                    ByteBuffer mapped = windows.get(window);
                    if (mapped == null) {
                        mapped = channel.map(mode, window, Math.min(WINDOW_BYTES, end - window));
                        windows.put(window, mapped);
                    }
                    int length = (int) Math.min(last - at, window + WINDOW_BYTES - at);
                    parts.add(mapped.slice((int) (at - window), length));
                    at += length;
                }
            }
        }
        return parts;
    }

    /** The parts one after the other. */
    private static final class Parts extends InputStream {
        private final List<ByteBuffer> parts;
        private int next;
        private ByteBuffer current = ByteBuffer.allocate(0);

        Parts(List<ByteBuffer> parts) {
            this.parts = parts;
        }

        private boolean hasMore() {
            while (!current.hasRemaining() && next < parts.size()) {
                current = parts.get(next++).duplicate();
            }
            return current.hasRemaining();
        }

        @Override
        public int read() {
            return hasMore() ? current.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            if (!hasMore()) {
                return -1;
            }
            int count = Math.min(length, current.remaining());
            current.get(target, offset, count);
            return count;
        }

        @Override
        public int available() {
            return hasMore() ? current.remaining() : 0;
        }
    }
}
