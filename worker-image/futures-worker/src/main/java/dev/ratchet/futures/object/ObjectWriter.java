/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * An object on its way into the store: invisible until complete, gone when closed before. Used by one thread at a time.
 */
public final class ObjectWriter implements ObjectClient.Receiver, AutoCloseable {

    private final ObjectStore store;
    private final ObjectName name;
    private final long bytes;
    private final Content content;
    private final CRC32C checksum = new CRC32C();
    private long written;
    private boolean ended;

    ObjectWriter(ObjectStore store, ObjectName name, long bytes, Content content) {
        this.store = store;
        this.name = name;
        this.bytes = bytes;
        this.content = content;
    }

    /** Appends. @throws IllegalStateException if it is more than was announced */
    public void write(ByteString more) {
        try {
            UnsafeByteOperations.unsafeWriteTo(more, new Sink());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Takes the content of a ByteString as it is; a copy, or a read-only view, would cost more than the rest. */
    private final class Sink extends ByteOutput {
        @Override
        public void write(byte value) {
            ObjectWriter.this.write(ByteBuffer.wrap(new byte[] {value}));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            ObjectWriter.this.write(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void writeLazy(byte[] bytes, int offset, int length) {
            write(bytes, offset, length);
        }

        @Override
        public void write(ByteBuffer bytes) {
            ObjectWriter.this.write(bytes);
        }

        @Override
        public void writeLazy(ByteBuffer bytes) {
            write(bytes);
        }
    }

    /** Appends. @throws IllegalStateException if it is more than was announced */
    public void write(ByteBuffer more) {
        written += more.remaining();
        if (written > bytes) {
            throw new IllegalStateException("The object " + name + " is larger than the announced " + bytes + " bytes");
        }
        checksum.update(more.duplicate());
        try {
            content.write(more);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void piece(ByteString more, Runnable next) {
        write(more);
        next.run();
    }

    /** What goes to memory: to wake a thread takes as long as that. A file takes as long as the disk likes. */
    @Override
    public boolean takesAtOnce() {
        return content instanceof MemoryContent;
    }

    /** Where another process of the pod can write the whole object; nothing if it can not. */
    public Optional<SharedBytes> shared() {
        return content.shared(bytes);
    }

    /** Makes an object visible that another process has written to {@link #shared}. */
    public ObjectStore.Stored completeShared(int writtenChecksum) {
        content.filled(bytes);
        return publish(writtenChecksum);
    }

    /** Makes the object visible. @throws IllegalStateException if size or checksum are not as announced */
    public ObjectStore.Stored complete(int expectedChecksum) {
        if (written != bytes || (int) checksum.getValue() != expectedChecksum) {
            throw new IllegalStateException(
                    "The object " + name + " has arrived damaged: bytes=" + written + " expected=" + bytes);
        }
        return publish(expectedChecksum);
    }

    private ObjectStore.Stored publish(int ownChecksum) {
        ObjectStore.Stored object = new ObjectStore.Stored(name, bytes, ownChecksum);
        try {
            content.finish(object);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        ended = true;
        store.publish(object, content);
        return object;
    }

    @Override
    public void close() {
        if (!ended) {
            ended = true;
            content.release();
        }
    }
}
