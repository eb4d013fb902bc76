/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last lines of this worker, in two files of which the older one is dropped when the newer one is full. Lines are
 * numbered from 1 for the life of the process. Losing them is harmless: a disk that refuses writes loses lines, never
 * the work that wrote them. Safe for use by several threads.
 */
public final class LogRing implements AutoCloseable {

    /** Longer lines are cut. */
    static final int LINE_CHARS_MAX = 8_000;

    private final Path current;
    private final Path former;
    private final long segmentChars;
    private final Environment environment;
    private @Nullable BufferedWriter writer;
    private long written;
    private long next = 1;
    private final long startedWallMillis;

    /**
     * Starts empty.
     *
     * @param limitBytes what both files may take, about
     * @throws IOException if the directory can not be made
     */
    public LogRing(Path directory, long limitBytes, Environment environment) throws IOException {
        Files.createDirectories(directory);
        this.current = directory.resolve("log.0");
        this.former = directory.resolve("log.1");
        this.segmentChars = limitBytes / 2;
        this.environment = environment;
        this.startedWallMillis = environment.wallClockMillis();
        Files.deleteIfExists(former);
        Files.deleteIfExists(current);
    }

    /** Appends a line, without its end. */
    public synchronized void append(@Nullable LogOwner owner, String text) {
        String line = text.length() <= LINE_CHARS_MAX ? text : text.substring(0, LINE_CHARS_MAX) + "...";
        String encoded = next + "\t" + environment.wallClockMillis() + "\t"
                + (owner == null
                        ? "-\t"
                        : owner.future() + "\t" + oneLine(owner.job()).replace("\t", " ")) + "\t" + oneLine(line)
                + "\n";
        try {
            BufferedWriter open = writer;
            if (open == null || written + encoded.length() > segmentChars) {
                open = rotate();
            }
            open.write(encoded);
        } catch (IOException lost) {
            writer = null;
            return;
        }
        written += encoded.length();
        next++;
    }

    private static String oneLine(String text) {
        return text.replace("\n", " ").replace("\r", " ");
    }

    /**
     * One page, oldest line first. Whoever prints goes on meanwhile.
     *
     * @throws InvalidInputException if the pattern is none
     */
    public LogPage read(ReadLogsRequest request) throws IOException {
        LogPageReader page = new LogPageReader(request);
        List<BufferedReader> files = new ArrayList<>();
        try {
            long end;
            synchronized (this) {
                end = next;
                if (page.isBehind(end)) {
                    return page.build(end, startedWallMillis);
                }
                if (writer != null) {
                    writer.flush();
                }
                for (Path file : new Path[] {former, current}) {
                    if (Files.exists(file)) {
                        files.add(Files.newBufferedReader(file));
                    }
                }
            }
            for (BufferedReader lines : files) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    page.offer(line, end);
                }
            }
            return page.build(end, startedWallMillis);
        } finally {
            for (BufferedReader lines : files) {
                lines.close();
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }

    private BufferedWriter rotate() throws IOException {
        if (writer != null) {
            writer.close();
            Files.move(current, former, StandardCopyOption.REPLACE_EXISTING);
        }
        BufferedWriter open = Files.newBufferedWriter(
                current, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        writer = open;
        written = 0;
        return open;
    }
}
