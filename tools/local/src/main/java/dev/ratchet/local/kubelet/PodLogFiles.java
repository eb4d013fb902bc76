/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import dev.ratchet.local.apiserver.logs.LogRequest;
import dev.ratchet.local.apiserver.logs.PodLogs;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code kubectl logs} from the files of {@link ContainerLog}. A follower sees new lines within
 * {@link #POLL_MILLIS}; it ends with its run of the container, as with a real kubelet, or when the pod goes.
 */
final class PodLogFiles implements PodLogs {

    private static final int POLL_MILLIS = 200;
    private static final long TAIL_LIMIT_LINES = 100_000;

    private final Function<String, @Nullable PodRunner> pods;

    /** @param pods finds the runner of a pod by its UID */
    PodLogFiles(Function<String, @Nullable PodRunner> pods) {
        this.pods = pods;
    }

    @Override
    public void write(LogRequest request, OutputStream sink) throws IOException, LogNotAvailableException {
        PodRunner pod = pods.apply(request.podUid());
        ContainerLog log = pod == null ? null : pod.log(request.container());
        List<Path> files = log == null ? List.of() : log.files(request.previous());
        if (pod == null || log == null || files.isEmpty()) {
            String what = request.previous() ? "previous terminated container \"" : "container \"";
            throw new LogNotAvailableException(what + request.container() + "\" in pod \"" + request.pod()
                    + "\" has no log" + (request.previous() ? "" : "; it is waiting to start"));
        }
        Sink lines = new Sink(request, sink);
        List<InputStream> open = new ArrayList<>();
        try {
            for (Path file : files) {
                open.add(new BufferedInputStream(Files.newInputStream(file)));
            }
            copy(open, lines, request);
            sink.flush();
            if (request.follow() && !request.previous()) {
                follow(open.get(open.size() - 1), files.get(files.size() - 1), lines, pod, request);
            }
        } finally {
            for (InputStream input : open) {
                input.close();
            }
        }
    }

    private static void copy(List<InputStream> inputs, Sink lines, LogRequest request) throws IOException {
        if (request.tailLines().isEmpty()) {
            for (InputStream input : inputs) {
                lines.copy(input);
            }
            return;
        }
        long wanted = Math.min(request.tailLines().getAsLong(), TAIL_LIMIT_LINES);
        Deque<byte[]> tail = new ArrayDeque<>();
        for (InputStream input : inputs) {
            for (byte[] line = lines.read(input); line != null; line = lines.read(input)) {
                tail.add(line);
                if (tail.size() > wanted) {
                    tail.remove();
                }
            }
        }
        for (byte[] line : tail) {
            lines.write(line);
        }
    }

    private static void follow(InputStream first, Path file, Sink lines, PodRunner pod, LogRequest request)
            throws IOException {
        InputStream input = first;
        Object present = key(file);
        try {
            while (!lines.isFull()) {
                boolean isOver = pod.isFinished() || !pod.isRunning(request.container());
                lines.copy(input);
                lines.flush();
                if (isOver) {
                    return;
                }
                Object now = key(file);
                if (now != null && !now.equals(present)) {
                    lines.copy(input);
                    input.close();
                    input = new BufferedInputStream(Files.newInputStream(file));
                    present = now;
                } else {
                    Thread.sleep(POLL_MILLIS);
                }
            }
        } catch (NoSuchFileException e) {
            // The pod went away with its log: the end of what there is to follow.
            lines.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            input.close();
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAttributes(file, BasicFileAttributes.class).fileKey()
                : null;
    }

    /**
     * Reads stored lines and writes those wanted in the form wanted. Keeps the start of a line whose end has not been
     * written yet.
     */
    private static final class Sink {
        private final LogRequest request;
        private final OutputStream target;
        private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
        private long left;

        Sink(LogRequest request, OutputStream target) {
            this.request = request;
            this.target = target;
            this.left = request.limitBytes().orElse(Long.MAX_VALUE);
        }

        void copy(InputStream input) throws IOException {
            for (byte[] line = read(input); line != null && !isFull(); line = read(input)) {
                write(line);
            }
        }

        byte @Nullable [] read(InputStream input) throws IOException {
            for (int next = input.read(); next >= 0; next = input.read()) {
                partial.write(next);
                if (next == '\n') {
                    byte[] line = partial.toByteArray();
                    partial.reset();
                    return line;
                }
            }
            return null;
        }

        void write(byte[] line) throws IOException {
            int blank = 0;
            while (blank < line.length && line[blank] != ' ') {
                blank++;
            }
            Instant since = request.since();
            if (since != null && isBefore(new String(line, 0, blank, StandardCharsets.US_ASCII), since)) {
                return;
            }
            int from = request.timestamps() ? 0 : Math.min(blank + 1, line.length);
            int count = (int) Math.min(left, line.length - from);
            target.write(line, from, count);
            left -= count;
        }

        boolean isFull() {
            return left == 0;
        }

        void flush() throws IOException {
            target.flush();
        }

        private static boolean isBefore(String time, Instant since) {
            try {
                return Instant.parse(time).isBefore(since);
            } catch (DateTimeParseException e) {
                return false;
            }
        }
    }
}
