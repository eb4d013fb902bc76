/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The regular files of a folder, recursively and without following links, as one stream of bytes: each file followed by
 * a newline, so that no word crosses files. The stream comes in pieces of about one size; only one is in memory at a
 * time.
 */
final class FolderContent {

    private final List<Path> files;
    private final long bytes;

    private FolderContent(List<Path> files, long bytes) {
        this.files = files;
        this.bytes = bytes;
    }

    /** Lists the folder; throws {@link InvalidInputException} when it is none or can not be read. */
    static FolderContent in(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException("There is no folder " + folder + ". Name a folder with text files.");
        }
        try (Stream<Path> tree = Files.walk(folder.toRealPath())) {
            List<Path> files = tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
            long bytes = 0;
            for (Path file : files) {
                if (!Files.isReadable(file)) {
                    throw unreadable(file, new AccessDeniedException(file.toString()));
                }
                bytes += Files.size(file) + 1;
            }
            return new FolderContent(files, bytes);
        } catch (UncheckedIOException e) {
            throw unreadable(folder, e);
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    int count() {
        return files.size();
    }

    /** Length of the stream, as the files are now. */
    long bytes() {
        return bytes;
    }

    /**
     * The stream in pieces of about {@code pieceBytes}, each byte a character, cut where a word does not go on. Throws
     * as {@link #in}.
     */
    Stream<String> pieces(int pieceBytes) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(new Pieces(files.iterator(), pieceBytes), Spliterator.ORDERED),
                false);
    }

    private static InvalidInputException unreadable(Path path, Exception failure) {
        Throwable cause =
                failure instanceof UncheckedIOException && failure.getCause() != null ? failure.getCause() : failure;
        return new InvalidInputException(path + " can not be read ("
                + cause.getClass().getSimpleName() + "). Give the right to read it or name another folder.");
    }

    private static final class Pieces implements Iterator<String> {
        private final Iterator<Path> files;
        private final int pieceBytes;
        private @Nullable Path path;
        private @Nullable InputStream file;
        /** The beginning of a word that goes on. */
        private byte[] rest = {};

        private @Nullable String next;

        Pieces(Iterator<Path> files, int pieceBytes) {
            this.files = files;
            this.pieceBytes = pieceBytes;
            this.next = read();
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public String next() {
            String piece = next;
            if (piece == null) {
                throw new NoSuchElementException();
            }
            next = read();
            return piece;
        }

        private @Nullable String read() {
            byte[] piece = rest;
            int length = rest.length;
            int end = 0;
            while (end == 0 && (length > 0 || file != null || files.hasNext())) {
                piece = Arrays.copyOf(piece, Math.max(pieceBytes, 2 * length));
                length = fill(piece, length);
                end = length;
                while (end > 0 && isLetter(piece[end - 1])) {
                    end--;
                }
            }
            rest = Arrays.copyOfRange(piece, end, length);
            return end == 0 ? null : new String(piece, 0, end, StandardCharsets.ISO_8859_1);
        }

        private static boolean isLetter(byte value) {
            return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z');
        }

        /** The new length of the piece; less than there is room for only at the end of the last file. */
        private int fill(byte[] piece, int from) {
            int length = from;
            try {
                while (length < piece.length && (file != null || files.hasNext())) {
                    InputStream open = file;
                    if (open == null) {
                        path = files.next();
                        open = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS);
                        file = open;
                    }
                    int count = open.read(piece, length, piece.length - length);
                    if (count >= 0) {
                        length += count;
                    } else {
                        open.close();
                        file = null;
                        piece[length++] = '\n';
                    }
                }
            } catch (IOException e) {
                throw unreadable(path == null ? Path.of("?") : path, e);
            }
            return length;
        }
    }
}
