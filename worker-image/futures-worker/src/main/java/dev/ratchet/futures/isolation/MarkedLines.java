/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.client.FutureId;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a process prints through {@link MarkedOutput}, line by line. A line that is too long comes in pieces, all
 * of its owner: what never ends a line must not fill the memory of whoever reads it. Used by one thread.
 */
final class MarkedLines implements AutoCloseable {

    /** Longest piece, in characters. */
    static final int PIECE_CHARS_MAX = 32_000;

    private static final int END = -1;

    private final Reader reader;
    private final char[] buffer = new char[8_192];
    private final StringBuilder piece = new StringBuilder();
    private Optional<FutureId> owner = Optional.empty();
    private boolean goesOn;
    private boolean afterReturn;
    private int at;
    private int filled;

    MarkedLines(Reader reader) {
        this.reader = reader;
    }

    /** The next line, or piece of one; null at the end. */
    MarkedOutput.@Nullable Line next() throws IOException {
        piece.setLength(0);
        int next = read();
        while (next != END && next != '\n' && piece.length() < PIECE_CHARS_MAX) {
            piece.append((char) next);
            next = read();
        }
        if (next == END && piece.isEmpty()) {
            return null;
        }
        boolean continued = goesOn;
        goesOn = next != END && next != '\n';
        if (goesOn) {
            at--; // back to the character that has no room in this piece
        }
        if (continued) {
            return new MarkedOutput.Line(owner, piece.toString());
        }
        MarkedOutput.Line line = MarkedOutput.read(piece.toString());
        owner = line.owner();
        return line;
    }

    /** The next character, where each end of a line is one. */
    private int read() throws IOException {
        int next = character();
        if (afterReturn && next == '\n') {
            next = character();
        }
        afterReturn = next == '\r';
        return afterReturn ? '\n' : next;
    }

    private int character() throws IOException {
        if (at == filled) {
            at = 0;
            filled = Math.max(0, reader.read(buffer));
        }
        return at == filled ? END : buffer[at++];
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
