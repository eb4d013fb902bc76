/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.logs.v1.LogLine;
import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import dev.ratchet.store.environment.Environment;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last lines of this worker, in two files of which the older one is dropped when the newer one is full. Lines are
 * numbered from 1 for the life of the process. Losing them is harmless: a disk that refuses writes loses lines, never
 * the work that wrote them. Safe for use by several threads.
 */
public final class LogRing implements AutoCloseable {

    /** Longer lines are cut. */
    static final int LINE_CHARS_MAX = 8_000;

    private static final int PAGE_LINES_MAX = 1_000;
    private static final int PAGE_CHARS_MAX = 2 << 20;

    private final Path current;
    private final Path former;
    private final long segmentChars;
    private final Environment environment;
    private @Nullable BufferedWriter writer;
    private long written;
    private long next = 1;

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
        Files.deleteIfExists(former);
        Files.deleteIfExists(current);
    }

    /** Appends a line, without its end. */
    public synchronized void append(@Nullable FutureId future, String text) {
        String line = text.length() <= LINE_CHARS_MAX ? text : text.substring(0, LINE_CHARS_MAX) + "...";
        String encoded = next + "\t" + environment.wallClockMillis() + "\t" + (future == null ? "-" : future) + "\t"
                + line.replace("\n", " ").replace("\r", " ") + "\n";
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

    /** One page, oldest line first. */
    public synchronized LogPage read(ReadLogsRequest request) throws IOException {
        if (writer != null) {
            writer.flush();
        }
        int limit = request.getLimit() <= 0 ? PAGE_LINES_MAX : Math.min(PAGE_LINES_MAX, request.getLimit());
        Optional<FutureId> only =
                request.getFuture().isEmpty() ? Optional.empty() : Optional.of(Ids.of(request.getFuture()));
        Page page = new Page(limit, request.getTail(), Math.max(1, request.getFrom()), only);
        for (Path file : new Path[] {former, current}) {
            if (Files.exists(file)) {
                try (BufferedReader lines = Files.newBufferedReader(file);
                        Stream<String> stream = lines.lines()) {
                    stream.forEach(page::offer);
                }
            }
        }
        return page.build(next);
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

    /** Collects the lines that a page wants. */
    private static final class Page {
        private final int limit;
        private final boolean tail;
        private final long from;
        private final Optional<FutureId> only;
        private final Deque<LogLine> lines = new ArrayDeque<>();
        private long chars;
        private boolean more;

        Page(int limit, boolean tail, long from, Optional<FutureId> only) {
            this.limit = limit;
            this.tail = tail;
            this.from = from;
            this.only = only;
        }

        void offer(String encoded) {
            String[] parts = encoded.split("\t", 4);
            if (parts.length < 4 || (only.isPresent() && !only.get().toString().equals(parts[2]))) {
                return;
            }
            long number = Long.parseLong(parts[0]);
            if (!tail && number < from) {
                return;
            }
            if (lines.size() >= limit || chars > PAGE_CHARS_MAX) {
                more = true;
                if (!tail) {
                    return;
                }
                chars -= lines.remove().getText().length();
            }
            LogLine.Builder line = LogLine.newBuilder()
                    .setNumber(number)
                    .setWallMillis(Long.parseLong(parts[1]))
                    .setText(parts[3]);
            if (!parts[2].equals("-")) {
                line.setFuture(Ids.bytes(FutureId.parse(parts[2])));
            }
            lines.add(line.build());
            chars += parts[3].length();
        }

        LogPage build(long next) {
            boolean moreAfter = more && !tail;
            return LogPage.newBuilder()
                    .addAllLines(lines)
                    .setNext(moreAfter ? lines.getLast().getNumber() + 1 : next)
                    .setMore(moreAfter)
                    .build();
        }
    }
}
