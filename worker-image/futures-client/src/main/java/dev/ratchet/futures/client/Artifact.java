/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.code.Digests;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
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
 * @param path the jar, or the directory of classes that was packed as one, in memory: a file would stay behind a client
 *     that is killed
 */
record Artifact(Path path, StreamUpload.Source content, ByteString digest, long bytes) {

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
                byte[] packed = pack(path);
                ByteString digest = ByteString.copyFrom(Digests.sha256().digest(packed));
                return new Artifact(path, StreamUpload.Source.of(packed), digest, packed.length);
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
            return new Artifact(path, StreamUpload.Source.of(path), Digests.ofFile(path), bytes);
        } catch (IOException unreadable) {
            throw new InvalidInputException(
                    "The artifact " + path + " can not be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** As it is called in listings. */
    String name() {
        return String.valueOf(path.getFileName());
    }

    /** Whether it has a class of this name. */
    boolean holds(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        if (Files.isDirectory(path)) {
            return Files.exists(path.resolve(file));
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            return jar.getEntry(file) != null;
        } catch (IOException gone) {
            return false;
        }
    }

    private static byte[] pack(Path directory) throws IOException {
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
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(packed)) {
            for (Path file : files) {
                JarEntry entry =
                        new JarEntry(directory.relativize(file).toString().replace(File.separatorChar, '/'));
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                jar.putNextEntry(entry);
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
        return packed.toByteArray();
    }
}
