/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.log.LogOwner;
import dev.ratchet.futures.log.TaskOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a process prints for its worker to read: each line that the thread of an attempt prints begins with the mark of
 * its future, as several may print by turns. What other threads or native code print has none. Nothing is held back, so
 * that nothing is missing at a sudden end; whoever prints into the unfinished line of another begins a new one.
 */
final class MarkedOutput extends OutputStream {

    private static final char MARK = '\u0001';
    private static final int ID_LENGTH = 36;

    private final OutputStream original;
    private Optional<FutureId> owner = Optional.empty();
    private boolean inLine;

    MarkedOutput(OutputStream original) {
        this.original = original;
    }

    /** A line as it was printed. */
    record Line(Optional<FutureId> owner, String text) {}

    /** Puts it in place of this process' standard streams. */
    static void install() {
        MarkedOutput marked = new MarkedOutput(new FileOutputStream(FileDescriptor.out));
        System.setOut(new TaskOutput.Unclosable(marked));
        System.setErr(new TaskOutput.Unclosable(marked));
    }

    /** Takes the mark off a line, if it has one. */
    static Line read(String line) {
        if (line.length() >= ID_LENGTH + 2 && line.charAt(0) == MARK && line.charAt(ID_LENGTH + 1) == MARK) {
            try {
                return new Line(
                        Optional.of(FutureId.parse(line.substring(1, ID_LENGTH + 1))), line.substring(ID_LENGTH + 2));
            } catch (InvalidInputException printedByTheTask) {
                return new Line(Optional.empty(), line);
            }
        }
        return new Line(Optional.empty(), line);
    }

    @Override
    public void write(int oneByte) throws IOException {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        Optional<FutureId> writer = TaskOutput.attributed().map(LogOwner::future);
        if (inLine && !writer.equals(owner)) {
            original.write('\n');
            inLine = false;
        }
        owner = writer;
        int end = offset + length;
        for (int from = offset; from < end; ) {
            int to = from;
            while (to < end && bytes[to] != '\n') {
                to++;
            }
            boolean ends = to < end;
            to += ends ? 1 : 0;
            if (!inLine && writer.isPresent()) {
                original.write((MARK + writer.get().toString() + MARK).getBytes(StandardCharsets.US_ASCII));
            }
            original.write(bytes, from, to - from);
            inLine = !ends;
            from = to;
        }
    }
}
