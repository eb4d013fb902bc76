/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory of the file system, held by one process at a time: a lock on its file {@code LOCK} keeps others out and
 * goes when the process does.
 */
public final class DirectoryDisk implements Disk {

    private static final String LOCK = "LOCK";

    private final Path directory;
    private final FileChannel lockChannel;
    private final FileLock lock;
    private final boolean syncs;

    /**
     * Takes a directory, which is made if it does not exist.
     *
     * @param syncs false to leave it to the operating system when bytes reach the disk: a power failure may lose them
     * @throws StoreDirectoryException if another process holds it, it can not be written, or holds something else
     */
    public DirectoryDisk(Path directory, boolean syncs) {
        this.directory = directory;
        this.syncs = syncs;
        try {
            Files.createDirectories(directory);
            StoreState.isStore(list(), directory.toString());
            lockChannel =
                    FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (AccessDeniedException e) {
            throw new StoreDirectoryException(
                    "The store directory " + directory + " can not be written; nothing was changed. Give it to the user"
                            + " that runs the store",
                    e);
        } catch (IOException e) {
            throw new StoreDirectoryException(
                    "The store directory " + directory + " can not be opened (" + reason(e)
                            + "); nothing was changed. Choose another directory",
                    e);
        }
        lock = takeLock();
    }

    /** Some exceptions of the file system have the path alone as message. */
    private static String reason(IOException failure) {
        return switch (failure) {
            case FileAlreadyExistsException file -> file.getFile() + " is no directory";
            case NoSuchFileException file -> file.getFile() + " can not be made in this file system";
            case FileSystemException file when file.getReason() != null -> file.getFile() + ": " + file.getReason();
            default -> failure.toString();
        };
    }

    private FileLock takeLock() {
        FileLock taken;
        try {
            taken = lockChannel.tryLock();
        } catch (OverlappingFileLockException e) {
            taken = null;
        } catch (IOException e) {
            throw new StoreDirectoryException(
                    "The store directory " + directory + " can not be locked (" + e.getMessage()
                            + "); nothing was changed",
                    e);
        }
        if (taken == null) {
            closeQuietly();
            throw new StoreDirectoryException("The store directory " + directory
                    + " is in use by another process; nothing was changed. Stop that process, or choose another"
                    + " directory");
        }
        return taken;
    }

    private void closeQuietly() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            throw new StoreDirectoryException("The lock file of " + directory + " can not be closed", e);
        }
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(LOCK))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public File create(String name) throws IOException {
        return ChannelFile.create(directory.resolve(name), syncs);
    }

    @Override
    public File open(String name) throws IOException {
        return new ChannelFile(
                directory.resolve(name), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE), syncs);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void syncDirectory() throws IOException {
        if (syncs) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    @Override
    public String describe() {
        return directory.toString();
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockChannel.close();
    }
}
