/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * The results that this incarnation holds, one file each, cached by the operating system rather than by the heap. The
 * sum of their sizes stays within a limit; space is reserved before a byte is written. An object is visible only when
 * it is complete. What a former incarnation left is deleted: it is not listed anywhere, so nobody would ask for it.
 */
public final class ObjectStore {

    /** Content read or written at once. */
    public static final int CHUNK_BYTES = 256 << 10;

    /**
     * A complete object.
     *
     * @param checksum CRC-32C of the content
     */
    public record Stored(ObjectName name, long bytes, int checksum) {}

    private final Path directory;
    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ObjectCounters counters = new ObjectCounters();
    private final Map<ObjectName, Stored> objects = new ConcurrentHashMap<>();

    /** @throws IOException if {@code directory} can not be made or emptied */
    public ObjectStore(Path directory, long limitBytes) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.limitBytes = limitBytes;
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory)) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
    }

    /**
     * Keeps {@code content}.
     *
     * @throws ObjectStoreFullException if there is no room
     */
    public Stored put(ObjectName name, byte[] content) {
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        try (ObjectWriter writer = new ObjectWriter(this, name, content.length)) {
            writer.write(ByteBuffer.wrap(content));
            return writer.complete((int) checksum.getValue());
        }
    }

    /** Starts an object that arrives in pieces. @throws ObjectStoreFullException if there is no room */
    public ObjectWriter begin(ObjectName name, long bytes) {
        return new ObjectWriter(this, name, bytes);
    }

    /** The object, if it is held. */
    public Optional<Stored> find(ObjectName name) {
        return Optional.ofNullable(objects.get(name));
    }

    /** Opens the content of a held object for reading; it stays readable while open, also when deleted meanwhile. */
    public FileChannel open(Stored object) throws IOException {
        return FileChannel.open(directory.resolve(object.name().fileName()), StandardOpenOption.READ);
    }

    /** What has been done with objects here. */
    public ObjectCounters counters() {
        return counters;
    }

    /** The whole content of a held object, checked. */
    public byte[] read(Stored object) throws IOException {
        byte[] content = Files.readAllBytes(directory.resolve(object.name().fileName()));
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        if (content.length != object.bytes() || (int) checksum.getValue() != object.checksum()) {
            throw new IOException("The object " + object.name() + " is damaged on disk");
        }
        counters.readBytes.add(content.length);
        return content;
    }

    /** Forgets an object; without effect if it is not held. */
    public void delete(ObjectName name) {
        Stored former = objects.remove(name);
        if (former != null) {
            try {
                Files.deleteIfExists(directory.resolve(name.fileName()));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            usedBytes.addAndGet(-former.bytes());
            counters.deleted.increment();
        }
    }

    /** All objects held now. */
    public List<Stored> all() {
        return List.copyOf(objects.values());
    }

    public int count() {
        return objects.size();
    }

    public long usedBytes() {
        return usedBytes.get();
    }

    /** How much more fits. */
    public long freeBytes() {
        return Math.max(0, limitBytes - usedBytes.get());
    }

    void reserve(long bytes) {
        long used = usedBytes.addAndGet(bytes);
        if (used > limitBytes) {
            usedBytes.addAndGet(-bytes);
            counters.refused.increment();
            throw new ObjectStoreFullException(bytes, used - bytes, limitBytes);
        }
    }

    void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    Path partialFile(ObjectName name) {
        return directory.resolve(name.fileName() + "." + System.identityHashCode(name) + ".partial");
    }

    void publish(Path partial, Stored object) throws IOException {
        Files.move(partial, directory.resolve(object.name().fileName()), StandardCopyOption.REPLACE_EXISTING);
        Stored former = objects.put(object.name(), object);
        counters.writtenBytes.add(object.bytes());
        if (former != null) {
            giveBack(former.bytes());
        }
    }
}
