/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.dataflow.RowFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of a folder that hold rows, by their names: those that begin with a point are hidden, and those that
 * end otherwise are none, so that a file can be written under such a name and renamed when it is whole. Remembers which
 * of them were taken, as they were then. One call at a time.
 */
final class Folder {

    private static final int FILES_MAX = 100_000;
    private static final int NAME_LENGTH_MAX = 160;
    private static final int DIGEST_CHARACTERS = 16;

    private final Path directory;

    /** The files that are there and were taken, by their names. */
    private final Map<String, Found> taken = new HashMap<>();

    private @Nullable Found digested;

    Folder(String directory) {
        this.directory = Path.of(directory);
    }

    /** A file as it was found. */
    record Found(
            Path path,
            long bytes,
            FileTime modified,
            @Nullable String digest) {

        /** Its name and what is in it, for the producer of its rows. */
        String title() {
            return path.getFileName() + "#" + digest;
        }

        RowFormat format() {
            return formatOf(path).orElseThrow();
        }

        /** As it is now. */
        Found now() throws IOException {
            return read(path, digest);
        }

        Found withDigest(@Nullable String other) {
            return new Found(path, bytes, modified, other);
        }

        private static Found read(Path path, @Nullable String digest) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new Found(path, attributes.size(), attributes.lastModifiedTime(), digest);
        }
    }

    /** The first file that was not taken, by name. */
    Optional<Found> next() throws IOException {
        List<Path> names = names();
        taken.keySet().retainAll(names.stream().map(Folder::name).collect(Collectors.toSet()));
        for (Path path : names) {
            if (name(path).length() > NAME_LENGTH_MAX) {
                throw new IllegalArgumentException("the name of the file " + path + " has more than " + NAME_LENGTH_MAX
                        + " characters; give it a shorter one");
            }
            Optional<Found> next = ifNew(path);
            if (next.isPresent()) {
                return next;
            }
        }
        return Optional.empty();
    }

    /** Empty where the file was taken already, or away. */
    private Optional<Found> ifNew(Path path) throws IOException {
        try {
            Found found = Found.read(path, null);
            return found.equals(taken.get(name(path))) ? Optional.empty() : Optional.of(digested(found));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    /**
     * The digest is of what was there behind the time that was found: whoever reads it then looks whether it still is.
     */
    private Found digested(Found found) throws IOException {
        Found last = digested;
        if (last != null && found.equals(last.withDigest(null))) {
            return last;
        }
        Found next = found.withDigest(digest(found.path()));
        digested = next;
        return next;
    }

    /** Notes that all rows of a file are there. */
    void taken(Found found) {
        taken.put(name(found.path()), found.withDigest(null));
    }

    private List<Path> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            Path real = directory.toRealPath();
            List<Path> names = entries.filter(path -> formatOf(path).isPresent() && Files.isRegularFile(path))
                    .filter(path -> staysIn(real, path))
                    .limit(FILES_MAX + 1)
                    .sorted()
                    .toList();
            if (names.size() > FILES_MAX) {
                throw new IllegalArgumentException("the folder " + directory + " has more than " + FILES_MAX
                        + " files; take those away that are there already");
            }
            return names;
        } catch (NoSuchFileException | NotDirectoryException missing) {
            throw new IllegalArgumentException(
                    "there is no folder " + directory + " on the worker that reads; mount the same volume there in all"
                            + " workers, by spec.workers.podTemplate",
                    missing);
        }
    }

    /**
     * A link out of the folder would show other files of the worker, such as its key, to whoever can write here; those
     * of a mounted ConfigMap stay inside.
     */
    private static boolean staysIn(Path real, Path path) {
        try {
            return !Files.isSymbolicLink(path) || path.toRealPath().startsWith(real);
        } catch (IOException gone) {
            return false;
        }
    }

    private static Optional<RowFormat> formatOf(Path path) {
        String name = name(path).toLowerCase(Locale.ROOT);
        if (name.startsWith(".")) {
            return Optional.empty();
        }
        return name.endsWith(".csv")
                ? Optional.of(RowFormat.CSV)
                : name.endsWith(".ndjson") ? Optional.of(RowFormat.NDJSON) : Optional.empty();
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static String digest(Path path) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(path), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest()).substring(0, DIGEST_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256", e);
        }
    }
}
