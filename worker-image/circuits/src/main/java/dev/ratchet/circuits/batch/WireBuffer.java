/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes of a message that grow as they are written, little-endian, and stay for the next message. One thread at a time.
 */
public final class WireBuffer {

    private static final int BYTES_INITIAL = 1 << 10;

    /** Larger arrays do not stay. */
    private static final int BYTES_KEPT = 1 << 20;

    private static final int BYTES_MAX = Integer.MAX_VALUE - 16;

    private ByteBuffer bytes = allocate(BYTES_INITIAL);

    private static ByteBuffer allocate(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The buffer, with room for so many bytes behind its position, at which the next are written.
     *
     * @throws BatchFullException where a message would grow over 2 GiB
     */
    public ByteBuffer room(long more) {
        if (bytes.remaining() < more) {
            long wanted = bytes.position() + more;
            if (wanted > BYTES_MAX) {
                throw new BatchFullException("A message of rows grows over " + BYTES_MAX
                        + " bytes; take smaller steps, so that fewer rows change at once");
            }
            long doubled = Math.max(wanted, bytes.capacity() * 2L);
            bytes = allocate((int) Math.min(BYTES_MAX, doubled)).put(bytes.flip());
        }
        return bytes;
    }

    public int size() {
        return bytes.position();
    }

    /** Overwrites four bytes that were written before. */
    public void setInt(int at, int value) {
        bytes.putInt(at, value);
    }

    /** What was written, valid until more is. */
    public ByteBuffer written() {
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
    }

    /** Starts anew. */
    public void clear() {
        bytes = bytes.capacity() > BYTES_KEPT ? allocate(BYTES_INITIAL) : bytes.clear();
    }
}
