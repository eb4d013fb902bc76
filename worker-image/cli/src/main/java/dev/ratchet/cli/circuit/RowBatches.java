/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.client.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file of rows into requests, between rows. Each knows at which byte of the file it ends: as sequence of a
 * producer that number tells how much of the file was received, however it was cut. What is there is handed out before
 * more is waited for, so that a pipe is sent on as it comes. One thread.
 */
public final class RowBatches {

    private static final int BUFFER_BYTES = 1 << 16;

    private final BufferedInputStream in;
    private final boolean isCsv;
    private final int wantedBytes;
    private final byte[] header;
    private final byte[] buffer;
    private int filled;
    private int scanned;
    private int cut;
    private boolean isQuoted;
    private long position;

    /**
     * Rows of a request.
     *
     * @param end how many bytes of the file come before this point
     */
    public record RowBatch(byte[] rows, long end) {}

    /**
     * Begins to read.
     *
     * @param isCsv whether the first line names columns, and is to be part of each request
     * @param wantedBytes about how much is sent at once
     * @param bytesMax what a request may have at most
     */
    public RowBatches(InputStream in, boolean isCsv, int wantedBytes, int bytesMax) throws IOException {
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
        this.isCsv = isCsv;
        this.wantedBytes = wantedBytes;
        this.header = isCsv ? firstLine(bytesMax / 2) : new byte[0];
        this.buffer = new byte[bytesMax - header.length];
        this.position = header.length;
    }

    private byte[] firstLine(int bytesMax) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean quoted = false;
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.write(b);
            quoted ^= b == '"';
            if (b == '\n' && !quoted) {
                break;
            }
            if (line.size() > bytesMax) {
                throw new InvalidInputException("The line of column names has more than " + bytesMax
                        + " bytes. Is this CSV whose first line names the columns?");
            }
        }
        return line.toByteArray();
    }

    /**
     * Leaves out what was received before.
     *
     * @param end as {@link RowBatch#end} said
     * @throws InvalidInputException if there is no row's end in this file
     */
    public void skip(long end) throws IOException {
        String strange = "The producer has sent " + end + " bytes already, ";
        if (end < position) {
            throw new InvalidInputException(
                    strange + "which end in the first line of this input. Give another file" + " another --producer.");
        }
        try {
            in.skipNBytes(Math.max(0, end - position - 1));
            int last = end > position ? in.read() : '\n';
            if (last < 0) {
                throw new EOFException();
            }
            position = end;
            in.mark(1);
            int next = in.read();
            if (last != '\n' && next >= 0 && next != '\n' && next != '\r') {
                throw new InvalidInputException(
                        strange + "which end within a row of this input. Give another file" + " another --producer.");
            }
            if (last != '\n' && next == '\n') {
                position++;
            } else if (next >= 0) {
                in.reset();
            }
        } catch (EOFException shorter) {
            throw new InvalidInputException(
                    strange + "this input is shorter. Give another file another --producer.", shorter);
        }
    }

    /** The next rows; null at the end. @throws InvalidInputException where a row is larger than a request may be */
    public @Nullable RowBatch next() throws IOException {
        while (true) {
            scan();
            if (cut > 0 && (filled >= wantedBytes || in.available() == 0)) {
                return take(cut);
            }
            if (filled == buffer.length) {
                throw new InvalidInputException("The row at byte " + position + " has more than " + buffer.length
                        + " bytes, which no request may have. Make it smaller"
                        + (isCsv ? ", or close its quotes." : ", or end it by a line break."));
            }
            int count = in.read(buffer, filled, Math.min(BUFFER_BYTES, buffer.length - filled));
            if (count < 0) {
                return filled == 0 ? null : take(filled);
            }
            filled += count;
        }
    }

    private void scan() {
        for (; scanned < filled; scanned++) {
            byte b = buffer[scanned];
            if (b == '\n' && !isQuoted) {
                cut = scanned + 1;
            } else if (isCsv && b == '"') {
                isQuoted = !isQuoted;
            }
        }
    }

    private RowBatch take(int bytes) {
        byte[] rows = Arrays.copyOf(header, header.length + bytes);
        System.arraycopy(buffer, 0, rows, header.length, bytes);
        System.arraycopy(buffer, bytes, buffer, 0, filled - bytes);
        filled -= bytes;
        scanned -= bytes;
        cut = 0;
        position += bytes;
        return new RowBatch(rows, position);
    }
}
