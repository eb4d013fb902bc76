/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes chunks of a reply of unknown length. What is written between two flushes becomes one chunk, or several of 32
 * KiB.
 */
final class ChunkedOutput extends OutputStream {

    private static final int CHUNK_BYTES = 32 * 1024;

    private final OutputStream out;
    private final byte[] buffer = new byte[CHUNK_BYTES];
    private int length;
    private boolean isClosed;

    ChunkedOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        if (length == buffer.length) {
            writeChunk();
        }
        buffer[length++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int from = offset;
        int left = count;
        while (left > 0) {
            if (length == buffer.length) {
                writeChunk();
            }
            int part = Math.min(left, buffer.length - length);
            System.arraycopy(bytes, from, buffer, length, part);
            length += part;
            from += part;
            left -= part;
        }
    }

    @Override
    public void flush() throws IOException {
        writeChunk();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            writeChunk();
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    private void writeChunk() throws IOException {
        if (length > 0) {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(buffer, 0, length);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
            length = 0;
        }
    }
}
