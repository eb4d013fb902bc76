/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * The tasks that read lines of files and write them. Each reads a part of the bytes of all files, and of those the
 * lines that begin in its part: so every line is read once, and large files are shared among tasks.
 */
final class TextFiles {

    private TextFiles() {}

    /** Bytes of one file. */
    record Range(String file, long start, long end) implements Serializable {}

    static List<DurableFuture<List<String>>> read(
            Ratchet ratchet, SubmitOptions options, String folder, String glob, int partitions) {
        requireAbsolute(folder);
        requireGlob(glob);
        DurableFuture<List<List<Range>>> ranges = ratchet.submit(options, new Listing(folder, glob, partitions));
        List<DurableFuture<List<String>>> parts = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            parts.add(ratchet.then(options, ranges, new Reading(i)));
        }
        return parts;
    }

    static <T> DurableFuture<List<String>> write(
            Ratchet ratchet, SubmitOptions options, String folder, List<DurableFuture<List<T>>> parts) {
        requireAbsolute(folder);
        DurableFuture<String> ready = ratchet.submit(options, new Preparing(folder));
        List<DurableFuture<String>> written = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            written.add(ratchet.then(options, parts.get(i), new Writing<T>(ready, i)));
        }
        return ratchet.<String, List<String>>reduce(options, written, ArrayList::new);
    }

    private static void requireAbsolute(String folder) {
        if (!Path.of(folder).isAbsolute()) {
            throw new InvalidInputException(
                    "The folder '" + folder + "' is not absolute, and workers have no folder in common to begin from.");
        }
    }

    private static void requireGlob(String glob) {
        try {
            var unused = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException wrong) {
            throw new InvalidInputException(
                    "The glob '" + glob + "' can not be read: " + wrong.getDescription(), wrong);
        }
    }

    /** What each partition reads. */
    record Listing(String folder, String glob, int partitions) implements SerializableCallable<List<List<Range>>> {
        @Override
        public List<List<Range>> call() throws IOException {
            Path root = Path.of(folder);
            if (!Files.isDirectory(root)) {
                throw new InvalidInputException("The worker "
                        + TaskContext.current().seat() + " has no folder " + folder
                        + ". Name one that all workers have, such as a volume that they share.");
            }
            PathMatcher wanted = root.getFileSystem().getPathMatcher("glob:" + glob);
            List<Range> files = new ArrayList<>();
            try (Stream<Path> tree = Files.walk(root)) {
                tree.filter(path -> Files.isRegularFile(path) && wanted.matches(root.relativize(path)))
                        .sorted()
                        .forEach(path -> files.add(new Range(path.toString(), 0, size(path))));
            }
            return divided(files, partitions);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<List<Range>> divided(List<Range> files, int partitions) {
        long total = files.stream().mapToLong(Range::end).sum();
        List<List<Range>> parts = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            long start = total / partitions * i + total % partitions * i / partitions;
            long end = total / partitions * (i + 1) + total % partitions * (i + 1) / partitions;
            List<Range> part = new ArrayList<>();
            long before = 0;
            for (Range file : files) {
                long from = Math.max(0, start - before);
                long to = Math.min(file.end(), end - before);
                if (from < to) {
                    part.add(new Range(file.file(), from, to));
                }
                before += file.end();
            }
            parts.add(part);
        }
        return parts;
    }

    record Reading(int index) implements SerializableFunction<List<List<Range>>, List<String>> {
        @Override
        public List<String> apply(List<List<Range>> ranges) throws IOException {
            List<String> lines = new ArrayList<>();
            for (Range range : ranges.get(index)) {
                LinesOfRange.read(range, lines);
            }
            return lines;
        }
    }

    record Preparing(String folder) implements SerializableCallable<String> {
        @Override
        public String call() throws IOException {
            Path root = Files.createDirectories(Path.of(folder));
            try (Stream<Path> content = Files.list(root)) {
                if (content.findAny().isPresent()) {
                    throw new InvalidInputException(
                            "The folder " + folder + " is not empty. Name one that is, or that is not there.");
                }
            }
            return folder;
        }
    }

    /** @param ready the folder, once it may be written to */
    record Writing<T>(DurableFuture<String> ready, int index) implements SerializableFunction<List<T>, String> {
        @Override
        public String apply(List<T> elements) throws Exception {
            Path file = Path.of(ready.get(), String.format("part-%05d.txt", index));
            Path begun = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
            try {
                Files.write(begun, elements.stream().map(String::valueOf).toList());
                Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(begun);
            }
            return file.toString();
        }
    }
}
