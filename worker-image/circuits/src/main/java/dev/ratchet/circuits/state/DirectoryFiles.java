/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files in a directory of the file system, which one process at a time may use. A deleted file stays readable for
 * whoever has it open, as file systems of Unix do; its descriptor goes with the last reader.
 */
public final class DirectoryFiles implements StateFiles {

    private static final String LOCK = "lock";
    private static final int BUFFER_BYTES = 1 << 18;

    private final Path directory;
    private final FileChannel lock;

    private DirectoryFiles(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * The files of a directory, which is made if need be.
     *
     * @throws UncheckedIOException where it can not be written
     * @throws IllegalStateException where it is a file, or another process, or somebody in this one, uses it
     */
    public static DirectoryFiles in(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IllegalStateException(
                    "The state directory " + directory + " is a file; name an empty directory or a new one");
        }
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new IllegalStateException("The state directory " + directory
                        + " is in use by another process; stop that one, or give each a directory of its own");
            }
            return new DirectoryFiles(directory, channel);
        } catch (IOException e) {
            throw new UncheckedIOException("The state directory " + directory + " can not be used: " + e, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException held) {
            return null;
        }
    }

    @Override
    public String place() {
        return directory.toString();
    }

    @Override
    public List<String> list() {
        try (Stream<Path> files = Files.list(directory)) {
            List<String> names = new ArrayList<>();
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
            names.remove(LOCK);
            return names;
        } catch (IOException e) {
            throw failed("can not be listed", e);
        }
    }

    @Override
    public Output create(String name) {
        try {
            return new ChannelOutput(
                    name,
                    FileChannel.open(
                            directory.resolve(name),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw failed("does not let " + name + " be made", e);
        }
    }

    @Override
    public BatchFile open(String name) {
        try {
            FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.READ);
            return new ChannelFile(directory.resolve(name).toString(), channel);
        } catch (IOException e) {
            throw failed("does not let " + name + " be read", e);
        }
    }

    @Override
    public long length(String name) {
        try {
            return Files.size(directory.resolve(name));
        } catch (IOException e) {
            throw failed("has no readable " + name, e);
        }
    }

    @Override
    public void sync(String name) {
        try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            throw failed("does not store " + name, e);
        }
    }

    @Override
    public void rename(String from, String to) {
        try {
            Files.move(
                    directory.resolve(from),
                    directory.resolve(to),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw failed("does not let " + from + " become " + to, e);
        }
    }

    @Override
    public void delete(String name) {
        try {
            Files.deleteIfExists(directory.resolve(name));
        } catch (IOException e) {
            throw failed("does not let " + name + " be deleted", e);
        }
    }

    @Override
    public void syncNames() {
        try {
            syncNames(directory);
        } catch (IOException e) {
            throw failed("does not store the names of its files", e);
        }
    }

    /** Returns once the names of the files in a directory, of a state or not, survive a crash. */
    public static void syncNames(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw failed("can not be unlocked", e);
        }
    }

    private UncheckedIOException failed(String what, IOException cause) {
        return new UncheckedIOException("The state directory " + directory + " " + what + ": " + cause, cause);
    }

    /** Reads with a position of each call, so that threads do not meet. */
    private record ChannelFile(String name, FileChannel channel) implements BatchFile {
        @Override
        public void read(long position, byte[] into) {
            try {
                ByteBuffer buffer = ByteBuffer.wrap(into);
                while (buffer.hasRemaining()) {
                    if (channel.read(buffer, position + buffer.position()) < 0) {
                        throw new CorruptStateException(name + " ends before byte " + (position + into.length)
                                + "; take the state from another copy or open the other version");
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(name + " can not be read at byte " + position + ": " + e, e);
            }
        }
    }

    private final class ChannelOutput implements Output {
        private final String name;
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

        ChannelOutput(String name, FileChannel channel) {
            this.name = name;
            this.channel = channel;
        }

        @Override
        public void append(byte[] bytes, int offset, int length) {
            if (length > buffer.remaining()) {
                flush();
            }
            if (length > buffer.capacity()) {
                write(ByteBuffer.wrap(bytes, offset, length));
            } else {
                buffer.put(bytes, offset, length);
            }
        }

        private void flush() {
            write(buffer.flip());
            buffer.clear();
        }

        private void write(ByteBuffer from) {
            try {
                while (from.hasRemaining()) {
                    channel.write(from);
                }
            } catch (IOException e) {
                throw failed("takes no more of " + name, e);
            }
        }

        @Override
        public void close() {
            try (channel) {
                flush();
            } catch (IOException e) {
                throw failed("does not let " + name + " be ended", e);
            }
        }
    }
}
