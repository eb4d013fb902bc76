/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Gives an object of the own store to a relay, one piece at a time. */
final class OwnObject {

    private final ReadableByteChannel channel;
    private final ValueRelay.Call call;

    OwnObject(ReadableByteChannel channel, ValueRelay.Call call) {
        this.channel = channel;
        this.call = call;
    }

    /** Sends the next piece, or the end. */
    void next() {
        byte[] chunk = new byte[ObjectStore.CHUNK_BYTES];
        try {
            int length = channel.read(ByteBuffer.wrap(chunk));
            if (length < 0) {
                channel.close();
                call.complete();
            } else {
                call.pass(ObjectsService.wrap(chunk).substring(0, length), this::next);
            }
        } catch (IOException failure) {
            call.fail(Status.UNAVAILABLE, "The object can not be read: " + failure.getMessage());
        }
    }
}
