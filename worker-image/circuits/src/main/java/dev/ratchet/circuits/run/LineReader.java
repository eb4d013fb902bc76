/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads a file line by line as bytes, in one growing buffer. One thread at a time. */
final class LineReader implements Closeable {

    private static final int LINE_BYTES_MAX = 64 << 20;
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Path file;
    private final InputStream in;
    private byte[] buffer = new byte[1 << 16];
    private int start;
    private int end;
    private int following;
    private int limit;
    private long number;

    LineReader(Path file) {
        this.file = file;
        try {
            this.in = Files.newInputStream(file);
        } catch (IOException e) {
            throw new InputException("Can not read " + file + "; name a file that is there and may be read", e);
        }
    }

    /** Reads lines that are in memory; errors name them like a file. */
    LineReader(InputStream in, Path name) {
        this.file = name;
        this.in = in;
    }

    /** Goes to the next line, which {@link #bytes} holds; false behind the last. */
    boolean next() throws IOException {
        start = following;
        int at = start;
        while (true) {
            while (at < limit && buffer[at] != '\n') {
                at++;
            }
            if (at < limit) {
                end = at;
                following = at + 1;
                number++;
                skipMark();
                return true;
            }
            int searched = at - start;
            if (!fill()) {
                end = limit;
                following = limit;
                boolean any = end > start;
                number += any ? 1 : 0;
                skipMark();
                return any;
            }
            at = start + searched;
        }
    }

    /** A mark of UTF-8 at the start of a file, as editors write it, is none of its text. */
    private void skipMark() {
        boolean marked = number == 1
                && end - start >= MARK.length
                && Arrays.equals(buffer, start, start + MARK.length, MARK, 0, MARK.length);
        start += marked ? MARK.length : 0;
    }

    /** Reads more behind what the line has so far, which moves to the start of the buffer. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, limit - start);
        limit -= start;
        start = 0;
        if (limit == buffer.length) {
            if (limit >= LINE_BYTES_MAX) {
                throw InputException.at(
                        file, number + 1, "A line of more than " + LINE_BYTES_MAX + " bytes; split it", null);
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int read = read();
        if (read <= 0) {
            return false;
        }
        limit += read;
        return true;
    }

    private int read() {
        try {
            return in.read(buffer, limit, buffer.length - limit);
        } catch (IOException e) {
            throw new InputException("Can not read " + file + ": " + e.getMessage(), e);
        }
    }

    /** The array that holds the line, until the next call of {@link #next}. */
    byte[] bytes() {
        return buffer;
    }

    int offset() {
        return start;
    }

    /** Without the end of the line, be it \n or \r\n. */
    int length() {
        int length = end - start;
        return length > 0 && buffer[end - 1] == '\r' ? length - 1 : length;
    }

    /** With the \r at the end of a line that ends by \r\n. */
    int rawLength() {
        return end - start;
    }

    /**
     * The line as text.
     *
     * @throws InputException where it is not UTF-8
     */
    String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(buffer, start, length()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw InputException.at(file, number, "the line is not UTF-8 text", e);
        }
    }

    boolean isBlank() {
        for (int i = start; i < end; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    /** The number of the line, from 1. */
    long number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
