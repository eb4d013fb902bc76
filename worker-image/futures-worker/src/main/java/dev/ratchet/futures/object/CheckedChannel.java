/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.futures.model.LargeMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/**
 * The content of an object, checked on its way: what is not as it was written is never read to its end. A damaged
 * object is forgotten here, so that whoever asks again gets another copy, or has it computed again. Used by one thread
 * at a time.
 */
final class CheckedChannel implements ReadableByteChannel {

    private final ReadableByteChannel content;
    private final ObjectStore.Stored object;
    private final Runnable damaged;
    private final CRC32C checksum = new CRC32C();
    private long passed;

    /** @param damaged forgets the object */
    CheckedChannel(ReadableByteChannel content, ObjectStore.Stored object, Runnable damaged) {
        this.content = content;
        this.object = object;
        this.damaged = damaged;
    }

    /** Reads a content to its end. @throws IOException if it can not be read or is not that of the object */
    static void readAll(Content content, ObjectStore.Stored object) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(LargeMessages.PIECE_BYTES);
        try (CheckedChannel source = new CheckedChannel(content.open(), object, () -> {})) {
            long left = object.bytes();
            while (left > 0) {
                left -= source.read(piece.clear());
            }
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        ByteBuffer fresh = target.duplicate();
        int length = content.read(target);
        if (length > 0) {
            checksum.update(fresh.limit(target.position()));
            passed += length;
        }
        boolean isShort = length < 0 && passed < object.bytes();
        boolean isOther = length > 0 && passed == object.bytes() && (int) checksum.getValue() != object.checksum();
        if (isShort || isOther || passed > object.bytes()) {
            damaged.run();
            throw new DamagedObjectException(object.name(), object.bytes(), passed);
        }
        return length;
    }

    @Override
    public boolean isOpen() {
        return content.isOpen();
    }

    @Override
    public void close() throws IOException {
        content.close();
    }
}
