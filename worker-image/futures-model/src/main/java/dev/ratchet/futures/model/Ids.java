/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Ids of futures as the 16 bytes that messages and values carry. */
public final class Ids {

    /** Length of an id. */
    public static final int BYTES = 16;

    private Ids() {}

    /** An id of random bits, some of which say so. */
    public static FutureId ofRandom(UUID random) {
        return FutureId.ofRandom(random.getMostSignificantBits(), random.getLeastSignificantBits());
    }

    public static ByteString bytes(FutureId id) {
        byte[] bytes = new byte[BYTES];
        write(id, bytes, 0);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /** Reads what {@link #bytes} has written. @throws IllegalArgumentException if these are not 16 bytes */
    public static FutureId of(ByteString bytes) {
        if (bytes.size() != BYTES) {
            throw new IllegalArgumentException("The id of a future has 16 bytes, not " + bytes.size());
        }
        return read(bytes.toByteArray(), 0);
    }

    /** Writes the id at an offset. */
    public static void write(FutureId id, byte[] target, int offset) {
        ByteBuffer.wrap(target, offset, BYTES)
                .putLong(id.value().getMostSignificantBits())
                .putLong(id.value().getLeastSignificantBits());
    }

    /** Reads the id at an offset. */
    public static FutureId read(byte[] source, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(source, offset, BYTES);
        return new FutureId(new UUID(buffer.getLong(), buffer.getLong()));
    }
}
