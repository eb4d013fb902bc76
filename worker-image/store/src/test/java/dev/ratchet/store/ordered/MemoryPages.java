/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/** Pages in memory, in small files, that counts and can damage and delete. Safe for use by several threads. */
public class MemoryPages implements PageStore {

    static final int FILE_BYTES = 64 << 10;

    final TreeMap<Long, byte[]> files = new TreeMap<>();
    private final TreeMap<Long, Integer> sizes = new TreeMap<>();
    long bytesWritten;

    @Override
    public Position append(ByteBuffer page) {
        int length = page.remaining();
        synchronized (files) {
            if (files.isEmpty() || sizes.lastEntry().getValue() + length > FILE_BYTES) {
                long next = files.isEmpty() ? 1 : files.lastKey() + 1;
                files.put(next, new byte[Math.max(FILE_BYTES, length)]);
                sizes.put(next, 0);
            }
            long file = files.lastKey();
            int offset = sizes.get(file);
            page.duplicate().get(files.get(file), offset, length);
            sizes.put(file, offset + length);
            bytesWritten += length;
            return new Position(file, offset);
        }
    }

    @Override
    public void read(long file, long offset, ByteBuffer page) throws IOException {
        synchronized (files) {
            byte[] bytes = files.get(file);
            if (bytes == null) {
                throw new AssertionError("file " + file + " was deleted and is needed");
            }
            page.put(bytes, (int) offset, Math.min(page.remaining(), bytes.length - (int) offset));
        }
    }

    @Override
    public String describe(long file) {
        return "file " + file;
    }

    void deleteBefore(long file) {
        files.headMap(file).clear();
        sizes.headMap(file).clear();
    }

    long totalBytes() {
        return sizes.values().stream().mapToLong(size -> size).sum();
    }
}
