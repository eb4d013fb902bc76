/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Chooses the size of pieces: small enough that there are some hundred, so that a change in the middle has a middle.
 */
final class PieceSize {

    private static final int PIECES = 320;
    private static final int LEAST_BYTES = 512;
    private static final int MOST_BYTES = 256 << 10;

    private PieceSize() {}

    /** What can not be read counts as empty: the program itself says what is wrong with it. */
    static int of(Path folder) {
        try (Stream<Path> tree = Files.walk(folder.toRealPath())) {
            long bytes = tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .mapToLong(PieceSize::size)
                    .sum();
            return Math.clamp(bytes / PIECES, LEAST_BYTES, MOST_BYTES);
        } catch (IOException | UncheckedIOException e) {
            return MOST_BYTES;
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }
}
