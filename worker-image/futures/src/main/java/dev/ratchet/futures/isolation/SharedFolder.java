/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for this process in a file system in memory, named by its process id, so that the next process finds what a
 * killed one has left and gives that memory back.
 */
public final class SharedFolder {

    private static final Logger LOG = LoggerFactory.getLogger(SharedFolder.class);
    private static final String PREFIX = "ratchet-";

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
            sweep(root);
            long usable = Files.getFileStore(root).getUsableSpace();
            if (usable < bytes) {
                LOG.info(
                        "Large values of isolated tasks are copied through files, not shared: room={} in={} needed={}",
                        usable,
                        root,
                        bytes);
                return Optional.empty();
            }
            return Optional.of(Files.createDirectory(
                    root.resolve(PREFIX + ProcessHandle.current().pid()),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException | UnsupportedOperationException unusable) {
            LOG.info("No memory is shared with isolated tasks", unusable);
            return Optional.empty();
        }
    }

    private static void sweep(Path root) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, PREFIX + "*")) {
            for (Path folder : folders) {
                long pid = pid(folder);
                boolean inUse = pid != ProcessHandle.current().pid()
                        && ProcessHandle.of(pid).isPresent();
                if (pid > 0 && !inUse && Files.isWritable(folder)) {
                    delete(folder);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }

    private static long pid(Path folder) {
        try {
            return Long.parseLong(folder.getFileName().toString().substring(PREFIX.length()));
        } catch (NumberFormatException notOurs) {
            return -1;
        }
    }
}
