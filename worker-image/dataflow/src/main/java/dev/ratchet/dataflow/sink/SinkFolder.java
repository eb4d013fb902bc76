/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.sink;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.RowFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of one output in its folder. A file is written whole under a temporary name that no other process has, and
 * gets its own by one rename, which takes the temporary name away: so it appears once, whoever renames it and however
 * often, also where its reader has taken it away meanwhile. All that is written is durable when a call returns.
 */
final class SinkFolder {

    private static final String TEMPORARY_END = ".tmp";

    private final Path directory;
    private final String name;
    private final RowFormat format;
    private final Pattern own;

    SinkFolder(FilesSink sink) {
        this.directory = Path.of(sink.folder());
        this.name = sink.name();
        this.format = sink.format();
        this.own = Pattern.compile(
                "(\\.?)" + Pattern.quote(name) + "-([0-9]+)-([0-9]+)-[0-9a-f]+\\.(?:ndjson|csv)(?:\\.([0-9]+)\\.tmp)?");
    }

    /**
     * Writes a file under its temporary name.
     *
     * @param life of the circuit, which with the step orders files
     * @param position of the input that the view stands for behind the step, as text
     * @param term of the writer
     * @throws IllegalArgumentException where the folder takes no file: what a person has to change
     */
    Path write(long life, long step, String position, long term, Relation view, Batch rows) throws IOException {
        String whole = String.format(
                Locale.ROOT,
                "%s-%06d-%019d-%s.%s",
                name,
                life,
                step,
                position,
                format.name().toLowerCase(Locale.ROOT));
        Path temporary = directory.resolve("." + whole + "." + term + TEMPORARY_END);
        try (FileChannel file = FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file))) {
            new StepFile(view, format, out).write(step, rows);
            out.flush();
            file.force(true);
        } catch (NoSuchFileException | NotDirectoryException missing) {
            throw missing(directory, missing);
        } catch (IOException full) {
            discard(temporary, full);
            throw new IllegalArgumentException(
                    "no file can be written to " + directory + ": " + full + "; make room, or let workers write there",
                    full);
        }
        force(directory);
        return temporary;
    }

    private static void discard(Path temporary, IOException full) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException further) {
            full.addSuppressed(further);
        }
    }

    /** Gives a file its own name; nothing where that has happened already. */
    static void publish(Path temporary) throws IOException {
        Path directory = Objects.requireNonNull(temporary.getParent());
        String hidden = String.valueOf(temporary.getFileName());
        int end = hidden.lastIndexOf('.', hidden.length() - TEMPORARY_END.length() - 1);
        try {
            Files.move(temporary, directory.resolve(hidden.substring(1, end)), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException moved) {
            if (!Files.isDirectory(directory)) {
                throw missing(directory, moved);
            }
        }
        force(directory);
    }

    /**
     * Deletes what this and former writers have left under temporary names. A later writer's is left, so that nothing
     * is lost to one that does not know yet that it is not the writer any more.
     *
     * @throws IllegalArgumentException where there are files of steps that this circuit has not written
     */
    void sweep(long life, long step, long term) throws IOException {
        List<Path> entries;
        try (Stream<Path> found = Files.list(directory)) {
            entries = found.toList();
        } catch (NoSuchFileException | NotDirectoryException missing) {
            throw missing(directory, missing);
        }
        for (Path entry : entries) {
            Matcher file = own.matcher(String.valueOf(entry.getFileName()));
            if (!file.matches()) {
                continue;
            }
            boolean isTemporary = !file.group(1).isEmpty();
            if (isTemporary && file.group(4) != null && Long.parseLong(file.group(4)) <= term) {
                Files.deleteIfExists(entry);
            } else if (!isTemporary && file.group(4) == null && isBehind(file, life, step)) {
                throw new IllegalArgumentException("the file " + entry + " is of a step that this circuit has not put"
                        + " out; move the files of another circuit away, or name another folder");
            }
        }
    }

    private static boolean isBehind(Matcher file, long life, long step) {
        long itsLife = Long.parseLong(file.group(2));
        return itsLife > life || (itsLife == life && Long.parseLong(file.group(3)) > step);
    }

    private static IllegalArgumentException missing(Path directory, IOException cause) {
        return new IllegalArgumentException(
                "there is no folder " + directory + " on the worker that writes; mount the same volume there in all"
                        + " workers, by spec.workers.podTemplate",
                cause);
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
