/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
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
public final class RowBatches implements Closeable {

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

    /** How many lines lie between the line of column names, where there is one, and the position. */
    private long lines;

    /**
     * Rows of a request.
     *
     * @param end how many bytes of the file come before this point
     * @param linesBefore what to add to the number of a line in {@code rows} for that of the line in the file
     */
    public record RowBatch(byte[] rows, long end, long linesBefore) {}

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
                throw new IllegalArgumentException("The line of column names has more than " + bytesMax
                        + " bytes; the first line of CSV must name the columns");
            }
        }
        return line.toByteArray();
    }

    /**
     * Leaves out what was received before.
     *
     * @param end as {@link RowBatch#end} said
     * @throws IllegalArgumentException where no row of this file ends there
     */
    public void skip(long end) throws IOException {
        String strange = "The producer has sent " + end + " bytes already, ";
        if (end < position) {
            throw new IllegalArgumentException(strange + "which end in the first line of this input");
        }
        try {
            int last = '\n';
            for (; position < end; position++) {
                last = in.read();
                if (last < 0) {
                    throw new EOFException();
                }
                lines += last == '\n' ? 1 : 0;
            }
            in.mark(1);
            int next = in.read();
            if (last != '\n' && next >= 0 && next != '\n' && next != '\r') {
                throw new IllegalArgumentException(strange + "which end within a row of this input");
            }
            if (last != '\n' && next == '\n') {
                position++;
                lines++;
            } else if (next >= 0) {
                in.reset();
            }
        } catch (EOFException shorter) {
            throw new IllegalArgumentException(strange + "this input is shorter", shorter);
        }
    }

    /** The next rows; null at the end. @throws IllegalArgumentException where a row is larger than a request may be */
    public @Nullable RowBatch next() throws IOException {
        while (true) {
            scan();
            if (cut > 0 && (filled >= wantedBytes || in.available() == 0)) {
                return take(cut);
            }
            if (filled == buffer.length) {
                throw new IllegalArgumentException("The row at byte " + position + " has more than " + buffer.length
                        + " bytes, which no request may have; make it smaller"
                        + (isCsv ? ", or close its quotes" : ", or end it by a line break"));
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
        RowBatch batch = new RowBatch(rows, position, lines);
        for (int at = header.length; at < rows.length; at++) {
            lines += rows[at] == '\n' ? 1 : 0;
        }
        return batch;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
