/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * An object on its way into the store: invisible until complete, gone when closed before. Used by one thread at a time.
 */
public final class ObjectWriter implements AutoCloseable {

    private final ObjectStore store;
    private final ObjectName name;
    private final long bytes;
    private final Path partial;
    private final FileChannel channel;
    private final CRC32C checksum = new CRC32C();
    private long written;
    private boolean complete;
    private boolean closed;

    ObjectWriter(ObjectStore store, ObjectName name, long bytes) {
        this.store = store;
        this.name = name;
        this.bytes = bytes;
        this.partial = store.partialFile(name);
        store.reserve(bytes);
        try {
            channel = FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            store.giveBack(bytes);
            throw new UncheckedIOException(failure);
        }
    }

    /** Appends. @throws IllegalStateException if it is more than was announced */
    public void write(ByteBuffer content) {
        written += content.remaining();
        if (written > bytes) {
            throw new IllegalStateException("The object " + name + " is larger than the announced " + bytes + " bytes");
        }
        checksum.update(content.duplicate());
        try {
            while (content.hasRemaining()) {
                channel.write(content);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Makes the object visible. @throws IllegalStateException if size or checksum are not as announced */
    public ObjectStore.Stored complete(int expectedChecksum) {
        if (written != bytes || (int) checksum.getValue() != expectedChecksum) {
            throw new IllegalStateException(
                    "The object " + name + " has arrived damaged: bytes=" + written + " expected=" + bytes);
        }
        ObjectStore.Stored object = new ObjectStore.Stored(name, bytes, expectedChecksum);
        try {
            channel.close();
            store.publish(partial, object);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        complete = true;
        return object;
    }

    @Override
    public void close() {
        if (complete || closed) {
            return;
        }
        closed = true;
        store.giveBack(bytes);
        try {
            channel.close();
            Files.deleteIfExists(partial);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
