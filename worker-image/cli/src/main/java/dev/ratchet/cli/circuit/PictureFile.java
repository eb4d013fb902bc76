/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.client.ConnectionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Keeps a picture of a running circuit in a file: drawn anew at most once a second and at the end, and replaced whole,
 * so that whoever looks at it never sees half of one. The ending of the name says how it is drawn. One thread at a
 * time.
 */
public final class PictureFile {

    private static final long INTERVAL_NANOS = 1_000_000_000;

    /** How a picture is asked for over HTTP, by the ending of its file. */
    private static final Map<String, String> TYPES =
            Map.of(".svg", "image/svg+xml", ".dot", "text/vnd.graphviz", ".json", "application/json");

    private final Path file;
    private long drawn = System.nanoTime();

    PictureFile(Path file) {
        this.file = file;
    }

    /**
     * Refuses a file into which there is no way to draw.
     *
     * @throws ParameterException where its name ends otherwise than a picture's
     */
    public static void check(CommandLine command, Path file) {
        if (TYPES.keySet().stream().noneMatch(file.toString()::endsWith)) {
            throw new ParameterException(command, "--picture must end in .svg, .dot or .json, not be " + file);
        }
    }

    /** Puts the picture of what a worker of a cluster has done into a file that was {@link #check checked}. */
    public static void fetch(CircuitClient circuit, Path file) throws InterruptedException {
        String type = TYPES.entrySet().stream()
                .filter(one -> file.toString().endsWith(one.getKey()))
                .findFirst()
                .orElseThrow()
                .getValue();
        try (InputStream drawn = circuit.get("/v1/picture", type).body()) {
            replace(file, drawn.readAllBytes());
        } catch (IOException broken) {
            throw new ConnectionException("The picture of the circuit broke off: " + broken, broken);
        }
    }

    /** Draws where it is time, or the end. */
    void draw(Circuit circuit, boolean ends) {
        long now = System.nanoTime();
        if (!ends && now - drawn < INTERVAL_NANOS) {
            return;
        }
        drawn = now;
        replace(file, text(circuit.picture()).getBytes(StandardCharsets.UTF_8));
    }

    private static void replace(Path file, byte[] picture) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.write(part, picture);
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
