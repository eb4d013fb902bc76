/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.futures.model.LargeMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The results that this incarnation holds: in memory outside of the heap as long as there is room, then in files. Both
 * have a limit; room is taken before a byte is written. An object is visible only when it is complete. What a former
 * process has left in files is not held before it is taken up, see {@link #former}. Safe for use by several threads.
 */
public final class ObjectStore {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectStore.class);

    /**
     * A complete object.
     *
     * @param checksum CRC-32C of the content
     */
    public record Stored(ObjectName name, long bytes, int checksum) {}

    private record Held(Stored object, Content content) {}

    private final Path directory;
    private final Optional<Path> sharedMemory;
    private final boolean onVolume;
    private final MemoryPool memory;
    private final long memoryBytes;
    private final long spillBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong spilledBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final ObjectCounters counters = new ObjectCounters();
    private final Map<ObjectName, Held> objects = new ConcurrentHashMap<>();
    private final FormerObjects former;

    /** A store whose memory no other process sees, and whose files end with the pod, at the latest. */
    public ObjectStore(Path directory, long memoryBytes, long spillBytes) throws IOException {
        this(directory, memoryBytes, spillBytes, Optional.empty(), false);
    }

    /**
     * @param memoryBytes what may be in memory
     * @param spillBytes what may be in files
     * @param sharedMemory a folder of this store in a file system in memory, by which other processes of the pod see
     *     it; none: they do not
     * @param onVolume whether the next process of the seat has the files, also in another pod
     * @throws IOException if a directory can not be made, read or emptied
     */
    public ObjectStore(Path directory, long memoryBytes, long spillBytes, Optional<Path> sharedMemory, boolean onVolume)
            throws IOException {
        this.directory = Files.createDirectories(directory);
        this.sharedMemory = sharedMemory;
        this.onVolume = onVolume;
        if (sharedMemory.isPresent()) {
            emptied(sharedMemory.get());
        }
        this.memory = new MemoryPool(memoryBytes, sharedMemory.map(folder -> folder.resolve("memory")));
        this.memoryBytes = memoryBytes;
        this.spillBytes = spillBytes;
        this.former = new FormerObjects(this, directory, this::freed);
        files.set(former.lastNumber());
        spilledBytes.set(former.bytes());
    }

    private void freed(long bytes) {
        spilledBytes.addAndGet(-bytes);
    }

    /** Whether the next process of the seat has the files. */
    boolean isOnVolume() {
        return onVolume;
    }

    /** What former processes have left in files. */
    public FormerObjects former() {
        return former;
    }

    private static Path emptied(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder)) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        return folder;
    }

    /** Gives shared memory back to the system. */
    public void close() {
        try {
            if (sharedMemory.isPresent()) {
                Files.delete(emptied(sharedMemory.get()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
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
        try (ObjectWriter writer = begin(name, content.length)) {
            writer.write(ByteBuffer.wrap(content));
            return writer.complete((int) checksum.getValue());
        }
    }

    /** Starts an object that arrives in pieces. @throws ObjectStoreFullException if there is no room */
    public ObjectWriter begin(ObjectName name, long bytes) {
        return new ObjectWriter(this, name, bytes, reserve(bytes));
    }

    /** The object, if it is held. */
    public Optional<Stored> find(ObjectName name) {
        return Optional.ofNullable(objects.get(name)).map(Held::object);
    }

    /** Whether to read a held object is to read a file, which may take as long as the disk likes. */
    public boolean isInFile(Stored object) {
        Held held = objects.get(object.name());
        return held != null && held.content() instanceof FileContent;
    }

    /**
     * Opens the content of a held object for reading; it stays readable while open, also when deleted meanwhile. One
     * that is damaged on disk fails before its last piece, and is held no more.
     */
    public ReadableByteChannel open(Stored object) throws IOException {
        Content content = content(object);
        return content instanceof FileContent ? checked(content, object) : content.open();
    }

    private Content content(Stored object) throws NoSuchFileException {
        Held held = objects.get(object.name());
        if (held == null) {
            throw new NoSuchFileException(object.name().toString());
        }
        return held.content();
    }

    private ReadableByteChannel checked(Content content, Stored object) throws IOException {
        return new CheckedChannel(content.open(), object, () -> delete(object.name()));
    }

    /**
     * A held object, for as long as it is needed; close it. What is in a file is read once before.
     *
     * @throws IOException if it was deleted meanwhile, or is damaged
     */
    public HeldObject hold(Stored object) throws IOException {
        Content content = content(object);
        if (content instanceof FileContent) {
            try {
                CheckedChannel.readAll(content, object);
            } catch (DamagedObjectException damaged) {
                delete(object.name());
                throw damaged;
            }
        }
        return new HeldObject(object, content);
    }

    /** What has been done with objects here. */
    public ObjectCounters counters() {
        return counters;
    }

    /** The whole content of a held object, checked. */
    public byte[] read(Stored object) throws IOException {
        byte[] content = new byte[Math.toIntExact(object.bytes())];
        ByteBuffer target = ByteBuffer.wrap(content);
        try (ReadableByteChannel source = checked(content(object), object)) {
            while (target.hasRemaining()) {
                var unused = source.read(target);
            }
        }
        counters.readBytes.add(content.length);
        return content;
    }

    /** Forgets an object; without effect if it is not held. */
    public void delete(ObjectName name) {
        Held held = objects.remove(name);
        if (held != null) {
            usedBytes.addAndGet(-held.object().bytes());
            counters.deleted.increment();
            held.content().release();
        }
    }

    /** All objects held now. */
    public List<Stored> all() {
        return objects.values().stream().map(Held::object).toList();
    }

    public int count() {
        return objects.size();
    }

    /** Sum of the sizes of all objects. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** What of it is in files, with what is on its way there. */
    public long spilledBytes() {
        return spilledBytes.get();
    }

    /** How much more fits. */
    public long freeBytes() {
        return memory.freeBytes() + Math.max(0, spillBytes - spilledBytes.get());
    }

    /** What it could hold if it were empty. */
    public long capacityBytes() {
        return memoryBytes + spillBytes;
    }

    /** Makes a written object visible. */
    void publish(Stored object, Content content) {
        counters.writtenBytes.add(object.bytes());
        hold(object, content);
    }

    /** Makes an object visible. */
    void hold(Stored object, Content content) {
        Held before = objects.put(object.name(), new Held(object, content));
        usedBytes.addAndGet(object.bytes());
        if (before != null) {
            usedBytes.addAndGet(-before.object().bytes());
            before.content().release();
        }
    }

    /**
     * Has what can not be computed again outlive this process, its pod and its machine, where the files of this store
     * do; where those have no room for it, it stays in memory. To be called before a record names it; reads and writes
     * it once.
     */
    public void preserve(Stored object) {
        if (!onVolume) {
            return;
        }
        try {
            writeDown(object);
        } catch (IOException | UncheckedIOException | ObjectStoreFullException failure) {
            LOG.warn(
                    "a value that can not be computed again is not on the volume: it is lost if this process ends"
                            + " before another worker takes it. Give workers.objectStore.spill more room. object={}",
                    object.name(),
                    failure);
        }
    }

    /**
     * Has a held object be in a file, which outlives this process, and the machine where the disk does; without effect
     * if it is not held.
     *
     * @throws ObjectStoreFullException if there is no room for files
     * @throws IOException if the file can not be written
     */
    public void writeDown(Stored object) throws IOException {
        Held held = objects.get(object.name());
        if (held != null && held.content() instanceof FileContent file) {
            file.force();
        } else if (held != null) {
            move(held, object);
        }
    }

    private void move(Held held, Stored object) throws IOException {
        FileContent file = spill(object.bytes());
        boolean replaced = false;
        ByteBuffer piece = ByteBuffer.allocate(LargeMessages.PIECE_BYTES);
        try (ReadableByteChannel source = held.content().open()) {
            while (source.read(piece.clear()) > 0) {
                file.write(piece.flip());
            }
            file.finish(held.object());
            file.force();
            replaced = objects.replace(object.name(), held, new Held(held.object(), file));
        } finally {
            (replaced ? held.content() : file).release();
        }
    }

    /** Room in memory, else on disk. */
    private Content reserve(long bytes) {
        Optional<Content> inMemory = memory.take(bytes).map(pieces -> new MemoryContent(memory, pieces));
        return inMemory.orElseGet(() -> spill(bytes));
    }

    private FileContent spill(long bytes) {
        if (spilledBytes.addAndGet(bytes) > spillBytes) {
            spilledBytes.addAndGet(-bytes);
            counters.refused.increment();
            throw new ObjectStoreFullException(bytes, usedBytes.get(), memoryBytes + spillBytes);
        }
        try {
            return new FileContent(directory.resolve(Long.toString(files.incrementAndGet())), bytes, this::freed);
        } catch (IOException failure) {
            spilledBytes.addAndGet(-bytes);
            throw new UncheckedIOException(failure);
        }
    }
}
