/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for this process in a file system in memory, named by its process id. What a killed process has left there
 * takes memory until somebody deletes it: each worker does, when it starts and every minute. That a folder has no owner
 * any more is told by the lock of the file beside it, which ends with the process that has it, whatever becomes of its
 * id. The file system is open to every user of the machine: links are never followed, and only what belongs to the user
 * of this process is deleted.
 */
public final class SharedFolder {

    private static final Logger LOG = LoggerFactory.getLogger(SharedFolder.class);
    private static final String PREFIX = "ratchet-";
    private static final String LOCK = ".lock";
    private static final long SWEEP_MILLIS = 60_000;

    /** Locks of this process, kept to its end. */
    private static final Set<FileChannel> OWN = ConcurrentHashMap.newKeySet();

    private SharedFolder() {}

    /**
     * A new folder, if the file system has so much room.
     *
     * @param root of the file system in memory; {@code /dev/shm} on Linux
     */
    public static Optional<Path> of(Path root, long bytes) {
        try {
            if (!Files.isWritable(root)) {
                return Optional.empty();
            }
            Path own = root.resolve(PREFIX + ProcessHandle.current().pid());
            deleteWithFiles(own);
            var unused = sweep(root);
            long usable = Files.getFileStore(root).getUsableSpace();
            if (usable < bytes) {
                LOG.info(
                        "Large values of isolated tasks are copied through files, not shared: room={} in={} needed={}",
                        usable,
                        root,
                        bytes);
                return Optional.empty();
            }
            OWN.add(lock(own));
            return Optional.of(Files.createDirectory(
                    own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException | UnsupportedOperationException unusable) {
            LOG.info("No memory is shared with isolated tasks", unusable);
            return Optional.empty();
        }
    }

    /**
     * Has what processes that are gone have left below {@code root} deleted every minute, to the end of this process.
     */
    public static void keepSwept(Path root, Environment environment) {
        GuardedCallbacks.repeat(environment, "giving back memory", SWEEP_MILLIS, () -> false, () -> {
            try {
                int deleted = sweep(root);
                if (deleted > 0) {
                    LOG.info("Memory that processes had left was given back: folders={} in={}", deleted, root);
                }
            } catch (IOException | DirectoryIteratorException unreadable) {
                LOG.info("What processes have left in memory can not be deleted: in={}", root, unreadable);
            }
        });
    }

    /** Deletes what processes that are gone have left; how many folders there were. */
    static int sweep(Path root) throws IOException {
        int deleted = 0;
        if (!Files.isWritable(root)) {
            return deleted;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, PREFIX + "*")) {
            for (Path entry : entries) {
                Path folder = folder(entry);
                long pid = pid(folder);
                if (pid > 0 && pid != ProcessHandle.current().pid() && isOwn(entry) && isLeft(folder, pid)) {
                    deleted += isOwnFolder(folder) ? 1 : 0;
                    deleteWithFiles(folder);
                }
            }
        }
        return deleted;
    }

    /** Whether nobody has the lock; where there is none, as of a process that is just making it, whether it is gone. */
    private static boolean isLeft(Path folder, long pid) throws IOException {
        Path file = lockFile(folder);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return ProcessHandle.of(pid).isEmpty();
        }
        if (!isOwn(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
                FileLock taken = channel.tryLock()) {
            return taken != null;
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                lockFile(folder),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        if (channel.tryLock() == null) {
            channel.close();
            throw new IOException("Another process has the lock of " + folder);
        }
        return channel;
    }

    private static Path lockFile(Path folder) {
        return folder.resolveSibling(folder.getFileName() + LOCK);
    }

    /** The folder that an entry is or locks; a process that ends as it should leaves the lock alone. */
    private static Path folder(Path entry) {
        String name = entry.getFileName().toString();
        return name.endsWith(LOCK) ? entry.resolveSibling(name.substring(0, name.length() - LOCK.length())) : entry;
    }

    private static boolean isOwnFolder(Path folder) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && isOwn(folder);
    }

    /** Whether an entry is there, is no link, and belongs to the user of this process. */
    private static boolean isOwn(Path entry) throws IOException {
        return Files.exists(entry, LinkOption.NOFOLLOW_LINKS)
                && !Files.isSymbolicLink(entry)
                && Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static void deleteWithFiles(Path folder) throws IOException {
        if (isOwnFolder(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        }
        if (isOwn(lockFile(folder))) {
            Files.deleteIfExists(lockFile(folder));
        }
    }

    private static long pid(Path folder) {
        try {
            return Long.parseLong(folder.getFileName().toString().substring(PREFIX.length()));
        } catch (NumberFormatException notOurs) {
            return -1;
        }
    }
}
