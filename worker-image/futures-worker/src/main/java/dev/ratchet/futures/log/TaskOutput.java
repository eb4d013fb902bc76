/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies what this process prints into its log ring, line by line, with the future on whose behalf it was printed. Put
 * in place of {@link System#out} and {@link System#err} once, by the worker's main class, before logging starts.
 */
public final class TaskOutput extends OutputStream {

    private static final ThreadLocal<@Nullable LogOwner> CURRENT = new ThreadLocal<>();

    private final PrintStream original;
    private final LogRing ring;
    private final ThreadLocal<ByteArrayOutputStream> lines = ThreadLocal.withInitial(ByteArrayOutputStream::new);

    TaskOutput(PrintStream original, LogRing ring) {
        this.original = original;
        this.ring = ring;
    }

    /** Replaces the standard streams of this process. */
    public static void install(LogRing ring) {
        System.setOut(new Unclosable(new TaskOutput(System.out, ring)));
        System.setErr(new Unclosable(new TaskOutput(System.err, ring)));
    }

    /** A task that closes what it prints to must not end the output of all others. */
    public static final class Unclosable extends PrintStream {
        public Unclosable(OutputStream output) {
            super(output, true, StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            flush();
        }
    }

    /** What the current thread prints from now on belongs to {@code owner}; null ends that. */
    public static void attribute(@Nullable LogOwner owner) {
        if (owner == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(owner);
        }
    }

    /** To whom what the current thread prints belongs. */
    public static Optional<LogOwner> attributed() {
        return Optional.ofNullable(CURRENT.get());
    }

    @Override
    public void write(int oneByte) {
        original.write(oneByte);
        collect((byte) oneByte);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        original.write(bytes, offset, length);
        for (int i = offset; i < offset + length; i++) {
            collect(bytes[i]);
        }
    }

    @Override
    public void flush() {
        original.flush();
    }

    private void collect(byte next) {
        ByteArrayOutputStream line = lines.get();
        if (next == '\n' || line.size() > 4 * LogRing.LINE_CHARS_MAX) {
            ring.append(CURRENT.get(), line.toString(StandardCharsets.UTF_8));
            line.reset();
        }
        if (next != '\n' && next != '\r') {
            line.write(next);
        }
    }
}
