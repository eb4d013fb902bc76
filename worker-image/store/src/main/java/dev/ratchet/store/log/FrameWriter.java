/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Builds frames one after the other in memory. Reused, so that steady work makes no garbage. For one thread at a time.
 */
final class FrameWriter {

    private static final int KEEP_BYTES = 4 << 20;

    private byte[] bytes = new byte[64 << 10];
    private int size;
    private int frameStart;
    private final CRC32C crc = new CRC32C();

    void begin() {
        frameStart = size;
        room(LogFrames.HEADER_BYTES);
        size += LogFrames.HEADER_BYTES;
    }

    void end() {
        int payload = frameStart + LogFrames.HEADER_BYTES;
        int length = size - payload;
        crc.reset();
        crc.update(bytes, payload, length);
        putIntAt(frameStart, length);
        putIntAt(frameStart + 4, (int) crc.getValue());
    }

    void putByte(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    void putLong(long value) {
        room(Long.BYTES);
        putIntAt(size, (int) (value >>> 32));
        putIntAt(size + 4, (int) value);
        size += Long.BYTES;
    }

    void putCount(int value) {
        room(5);
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void putBytes(byte[] value) {
        putCount(value.length);
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    private void putIntAt(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
    }

    int size() {
        return size;
    }

    /** All frames so far; void after the next change. */
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    void clear() {
        size = 0;
        if (bytes.length > KEEP_BYTES) {
            bytes = new byte[64 << 10];
        }
    }
}
