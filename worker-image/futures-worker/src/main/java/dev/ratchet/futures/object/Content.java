/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/**
 * The bytes of one object, in memory or on disk: first written by one thread, then read by many. They stay readable for
 * whoever has opened them when they are released.
 */
interface Content {

    /** Appends. */
    void write(ByteBuffer bytes) throws IOException;

    /** Where other processes of the pod can read and write the first bytes; nothing if they can not. */
    Optional<SharedBytes> shared(long bytes);

    /** Says that another process has written the first bytes. */
    void filled(long bytes);

    /** Ends the writing: the content is that of {@code object}. */
    void finish(ObjectStore.Stored object) throws IOException;

    /** The bytes from the first on; close it. @throws java.nio.file.NoSuchFileException after the release */
    ReadableByteChannel open() throws IOException;

    /** Gives up the room, at the latest when the last reader is done. To be called once; never fails. */
    void release();
}
