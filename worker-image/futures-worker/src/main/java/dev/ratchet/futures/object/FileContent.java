/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.protocol.isolation.v1.Extent;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes in a file of their own. Its name says whose they are once they are complete, see {@link ObjectFileName}; it
 * keeps that name, and its room, until the object and all its readers have let go: those who hold it open it again by
 * its name, as do processes that they hand it to.
 */
final class FileContent implements Content {

    private static final Logger LOG = LoggerFactory.getLogger(FileContent.class);

    private final long bytes;
    private final LongConsumer released;
    private final @Nullable FileChannel writing;
    private volatile Path file;
    private int users = 1;

    /**
     * A new file.
     *
     * @param released is told of the room that has become free
     */
    FileContent(Path file, long bytes, LongConsumer released) throws IOException {
        this.file = file;
        this.bytes = bytes;
        this.released = released;
        this.writing = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private FileContent(ObjectFileName complete, Path folder, LongConsumer released) {
        this.file = folder.resolve(complete.toString());
        this.bytes = complete.object().bytes();
        this.released = released;
        this.writing = null;
    }

    /** The file of an object that was completed before, perhaps by a former process. */
    static FileContent complete(ObjectFileName name, Path folder, LongConsumer released) {
        return new FileContent(name, folder, released);
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
        FileChannel channel = writing();
        while (content.hasRemaining()) {
            channel.write(content);
        }
    }

    @Override
    public void finish(ObjectStore.Stored object) throws IOException {
        writing().close();
        Path complete =
                file.resolveSibling(new ObjectFileName(file.getFileName().toString(), object).toString());
        file = Files.move(file, complete, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Has the complete file, and its name, outlive the machine where the disk does. */
    void force() throws IOException {
        for (Path path : List.of(file, file.resolveSibling(""))) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private FileChannel writing() {
        return Objects.requireNonNull(writing, "a complete file is not written");
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
        synchronized (this) {
            if (users == 0) {
                throw new NoSuchFileException(file.toString(), null, "The object was deleted meanwhile");
            }
            users++;
        }
        try {
            return new Reader(FileChannel.open(file, StandardOpenOption.READ));
        } catch (IOException unreadable) {
            release();
            throw unreadable;
        }
    }

    @Override
    public void release() {
        synchronized (this) {
            if (--users > 0) {
                return;
            }
        }
        try (writing) {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // Nobody could do more about it, and those who let go of an object have other things to bring to an end.
            LOG.warn("a file of the object store stays until the worker starts again file={}", file, stays);
        } finally {
            released.accept(bytes);
        }
    }

    /** Used by one thread at a time. */
    private final class Reader implements ReadableByteChannel {
        private final FileChannel channel;
        private boolean closed;

        Reader(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return channel.read(target);
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                try (channel) {
                    release();
                }
            }
        }
    }
}
