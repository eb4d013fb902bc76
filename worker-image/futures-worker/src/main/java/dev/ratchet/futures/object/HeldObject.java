/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.futures.code.Serialized;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/** An object of the own store that somebody reads: its bytes stay where they are until it is closed. */
public final class HeldObject implements Serialized, AutoCloseable {

    private final ObjectStore.Stored object;
    private final Content content;
    private final ReadableByteChannel lease;

    HeldObject(ObjectStore.Stored object, Content content) throws IOException {
        this.object = object;
        this.content = content;
        this.lease = content.open();
    }

    /** Its size. */
    public long bytes() {
        return object.bytes();
    }

    @Override
    public InputStream open() {
        try {
            return Channels.newInputStream(content.open());
        } catch (IOException deletedWhileHeld) {
            throw new UncheckedIOException(deletedWhileHeld);
        }
    }

    /** Where other processes of the pod can read it; nothing if they can not. */
    public Optional<SharedBytes> shared() {
        return content.shared(object.bytes());
    }

    @Override
    public void close() {
        try {
            lease.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
