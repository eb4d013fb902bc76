/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.code.Digests;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A jar as it is uploaded.
 *
 * @param temporary whether the file was made for the upload and can be deleted after it
 */
record Artifact(Path file, String name, ByteString digest, long bytes, boolean temporary) {

    /** Largest jar. */
    private static final long BYTES_MAX = 256L << 20;

    private static final int FILES_MAX = 100_000;

    /**
     * A jar as it is, or a directory of classes packed the same way each time, so that equal classes have one digest.
     *
     * @throws InvalidInputException if it is neither
     */
    static Artifact of(Path path) {
        try {
            if (Files.isDirectory(path)) {
                Path packed = pack(path);
                return new Artifact(
                        packed, String.valueOf(path.getFileName()), Digests.ofFile(packed), Files.size(packed), true);
            }
            if (!Files.isRegularFile(path)) {
                throw new InvalidInputException("There is no jar and no directory of classes at " + path + ".");
            }
            try (JarFile jar = new JarFile(path.toFile())) {
                if (jar.size() == 0) {
                    throw new InvalidInputException("The jar " + path + " is empty.");
                }
            } catch (IOException notJar) {
                throw new InvalidInputException("The file " + path + " is not a jar: " + notJar.getMessage(), notJar);
            }
            long bytes = Files.size(path);
            if (bytes > BYTES_MAX) {
                throw new InvalidInputException(
                        "The jar " + path + " has " + bytes + " bytes, more than the limit of " + BYTES_MAX + ".");
            }
            return new Artifact(path, String.valueOf(path.getFileName()), Digests.ofFile(path), bytes, false);
        } catch (IOException unreadable) {
            throw new InvalidInputException(
                    "The artifact " + path + " can not be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** Whether it has a class of this name. */
    boolean holds(Class<?> type) {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.getEntry(type.getName().replace('.', '/') + ".class") != null;
        } catch (IOException gone) {
            return false;
        }
    }

    private static Path pack(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile)
                    .sorted()
                    .limit(FILES_MAX + 1L)
                    .toList();
        }
        if (files.size() > FILES_MAX || files.isEmpty()) {
            throw new InvalidInputException("The directory " + directory + " holds "
                    + (files.isEmpty()
                            ? "no files."
                            : "more than " + FILES_MAX + " files. Name the one with classes."));
        }
        Path packed = Files.createTempFile("ratchet-classes-", ".jar");
        packed.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(packed);
                JarOutputStream jar = new JarOutputStream(out)) {
            for (Path file : files) {
                JarEntry entry =
                        new JarEntry(directory.relativize(file).toString().replace(File.separatorChar, '/'));
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                jar.putNextEntry(entry);
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
        return packed;
    }
}
