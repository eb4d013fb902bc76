/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitPicture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Keeps a picture of a running circuit in a file: drawn anew at most once a second and at the end, and replaced whole,
 * so that whoever looks at it never sees half of one. The ending of the name says how it is drawn. One thread at a
 * time.
 */
final class PictureFile {

    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final Path file;
    private long drawn = System.nanoTime();

    PictureFile(Path file) {
        this.file = file;
    }

    /** Whether there is a way to draw into a file of this name. */
    static boolean canDraw(Path file) {
        String name = file.toString();
        return name.endsWith(".svg") || name.endsWith(".dot") || name.endsWith(".json");
    }

    /** Draws where it is time, or the end. */
    void draw(Circuit circuit, boolean ends) {
        long now = System.nanoTime();
        if (!ends && now - drawn < INTERVAL_NANOS) {
            return;
        }
        drawn = now;
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.writeString(part, text(circuit.picture()));
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("Can not write the picture " + file + ": " + e.getMessage(), e);
        }
    }

    private String text(CircuitPicture picture) {
        String name = file.toString();
        return name.endsWith(".svg") ? picture.svg() : name.endsWith(".dot") ? picture.dot() : picture.json();
    }
}
