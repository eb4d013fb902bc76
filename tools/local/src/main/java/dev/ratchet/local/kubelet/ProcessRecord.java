/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file {@code *.pid} that says which process belongs to an environment, so that whoever comes after a crash can end
 * it. It holds the id and the start time in milliseconds: an id alone may belong to somebody else by now.
 *
 * @param file where it is kept
 */
public record ProcessRecord(Path file) {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessRecord.class);
    private static final int DEPTH_LIMIT = 5;

    /** Records a process that runs; does nothing when it has ended already. */
    public void write(long pid) {
        Optional<Instant> start =
                ProcessHandle.of(pid).flatMap(handle -> handle.info().startInstant());
        if (start.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(file.getParent());
            Path next = Files.writeString(
                    file.resolveSibling(file.getFileName() + ".next"),
                    pid + " " + start.get().toEpochMilli() + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the record of process " + pid + " can not be written to " + file, e);
        }
    }

    /** The recorded process, if it still runs. */
    public Optional<ProcessHandle> process() {
        try {
            String[] words = Files.readString(file).strip().split(" ", 2);
            long startMillis = Long.parseLong(words[words.length - 1]);
            return ProcessHandle.of(Long.parseLong(words[0])).filter(handle -> started(handle) == startMillis);
        } catch (IOException | NumberFormatException e) {
            LOG.debug("no record of a process: file={} cause={}", file, e.toString());
            return Optional.empty();
        }
    }

    /** Kills the process, if it still runs, with the process group that it leads; returns whether it did. */
    public boolean kill() {
        Optional<ProcessHandle> survivor = process();
        survivor.ifPresent(handle -> {
            try {
                new ProcessBuilder("sh", "-c", "kill -s KILL -- -" + handle.pid() + " 2>/dev/null")
                        .start()
                        .waitFor();
            } catch (IOException e) {
                LOG.warn("a process group is not killed, only its leader: pid={} cause={}", handle.pid(), e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            handle.destroyForcibly();
        });
        return survivor.isPresent();
    }

    /** The process has ended; a record that another process has taken over meanwhile stays. */
    public void remove(long pid) {
        try {
            if (Files.exists(file) && Files.readString(file).startsWith(pid + " ")) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.debug("the record of an ended process can not be removed: file={} cause={}", file, e.toString());
        }
    }

    /** The records somewhere below {@code folder}; none when it does not exist. */
    public static List<ProcessRecord> below(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.find(
                folder, DEPTH_LIMIT, (file, attributes) -> file.toString().endsWith(".pid"))) {
            return files.map(ProcessRecord::new).toList();
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("the records of processes can not all be read: folder={} cause={}", folder, e.toString());
            return List.of();
        }
    }

    private static long started(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(-1L);
    }
}
