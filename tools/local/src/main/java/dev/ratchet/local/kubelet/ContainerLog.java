/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Owns the log of one container on disk: of the run that is or was last ({@code current}) and of the one before
 * ({@code previous}), each as at most two files of {@link #FILE_LIMIT_BYTES}. A line is the time it was read, a blank,
 * and the bytes as they came, cut at {@link #LINE_LIMIT_BYTES}.
 */
final class ContainerLog {

    static final int FILE_LIMIT_BYTES = 8 << 20;
    static final int LINE_LIMIT_BYTES = 64 << 10;

    private final Path directory;

    ContainerLog(Path directory) {
        this.directory = directory;
    }

    /** The last run becomes the previous one. */
    void startRun() throws IOException {
        Files.createDirectories(directory);
        for (String part : List.of("older", "newer")) {
            Path current = directory.resolve("current." + part);
            if (Files.exists(current)) {
                Files.move(current, directory.resolve("previous." + part), StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.deleteIfExists(directory.resolve("previous." + part));
            }
        }
        Files.createFile(directory.resolve("current.newer"));
    }

    /** The files of a run, oldest first; empty when there was no such run. */
    List<Path> files(boolean previous) {
        String run = previous ? "previous" : "current";
        return Stream.of("older", "newer")
                .map(part -> directory.resolve(run + "." + part))
                .filter(Files::exists)
                .toList();
    }

    /** Copies lines until the end of {@code output}; the newest file is moved away when it is full. */
    void copyFrom(InputStream output) throws IOException {
        Path newer = directory.resolve("current.newer");
        byte[] chunk = new byte[8192];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        OutputStream sink = Files.newOutputStream(newer, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            long size = 0;
            int count = output.read(chunk);
            while (count >= 0) {
                ByteArrayOutputStream lines = new ByteArrayOutputStream();
                for (int i = 0; i < count; i++) {
                    boolean isEnd = chunk[i] == '\n';
                    if (!isEnd) {
                        line.write(chunk[i]);
                    }
                    if (isEnd || line.size() == LINE_LIMIT_BYTES) {
                        flushLine(line, lines);
                    }
                }
                sink.write(lines.toByteArray());
                size += lines.size();
                if (size > FILE_LIMIT_BYTES) {
                    sink.close();
                    Files.move(newer, directory.resolve("current.older"), StandardCopyOption.REPLACE_EXISTING);
                    sink = Files.newOutputStream(newer, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    size = 0;
                }
                count = output.read(chunk);
            }
            if (line.size() > 0) {
                flushLine(line, sink);
            }
        } finally {
            sink.close();
        }
    }

    private static void flushLine(ByteArrayOutputStream line, OutputStream target) throws IOException {
        target.write((Instant.now() + " ").getBytes(StandardCharsets.US_ASCII));
        line.writeTo(target);
        target.write('\n');
        line.reset();
    }
}
