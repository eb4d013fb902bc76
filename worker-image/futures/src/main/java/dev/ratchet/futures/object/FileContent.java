/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.protocol.isolation.v1.Extent;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Bytes in a file of their own; the operating system keeps a deleted one for those who have it open. */
final class FileContent implements Content {

    private final Path file;
    private final long bytes;
    private final LongConsumer released;
    private final FileChannel writing;

    /** @param released is told of the room that has become free */
    FileContent(Path file, long bytes, LongConsumer released) throws IOException {
        this.file = file;
        this.bytes = bytes;
        this.released = released;
        this.writing = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            writing.write(content);
        }
    }

    @Override
    public void finish() throws IOException {
        writing.close();
    }

    @Override
    public Optional<SharedBytes> shared(long length) {
        return Optional.of(SharedBytes.newBuilder()
                .setFile(file.toString())
                .addExtents(Extent.newBuilder().setBytes(length))
                .build());
    }

    @Override
    public void filled(long length) {
        // The file is as long as it was made.
    }

    @Override
    public ReadableByteChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    @Override
    public void release() throws IOException {
        writing.close();
        Files.deleteIfExists(file);
        released.accept(bytes);
    }
}
