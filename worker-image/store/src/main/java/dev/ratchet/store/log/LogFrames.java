/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How bytes lie in the files: frames of length (4), CRC-32C of what follows (4), and that many bytes of payload.
 * Numbers are big-endian; counts and lengths inside a payload are base-128.
 */
final class LogFrames {
    static final int HEADER_BYTES = 8;
    /** No frame is longer: a batch of commits is at most 16 MB and the last commit in it 10 MB. */
    static final int PAYLOAD_BYTES_MAX = 64 << 20;

    private LogFrames() {}

    /** Checks the frame at the buffer's position and returns its payload; null when there is no whole, sound one. */
    static @Nullable ByteBuffer take(ByteBuffer file) {
        if (file.remaining() < HEADER_BYTES) {
            return null;
        }
        int start = file.position();
        int length = file.getInt(start);
        if (length <= 0 || length > PAYLOAD_BYTES_MAX || length > file.remaining() - HEADER_BYTES) {
            return null;
        }
        ByteBuffer payload = file.slice(start + HEADER_BYTES, length).order(ByteOrder.BIG_ENDIAN);
        if (checksum(payload.duplicate()) != file.getInt(start + 4)) {
            return null;
        }
        file.position(start + HEADER_BYTES + length);
        return payload;
    }

    static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    static int takeCount(ByteBuffer payload) {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = payload.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("a count in a sound frame does not end; the writer was of another format");
    }

    static byte[] takeBytes(ByteBuffer payload) {
        byte[] bytes = new byte[takeCount(payload)];
        payload.get(bytes);
        return bytes;
    }
}
