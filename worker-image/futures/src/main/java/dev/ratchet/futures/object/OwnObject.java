/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/** Gives an object of the own store to a relay, one piece at a time. */
final class OwnObject {

    private final ReadableByteChannel channel;
    private final ValueRelay.Call call;
    private long left;

    OwnObject(ReadableByteChannel channel, long bytes, ValueRelay.Call call) {
        this.left = bytes;
        this.channel = channel;
        this.call = call;
    }

    /** Sends the next piece, or the end. */
    void next() {
        try {
            if (left == 0) {
                channel.close();
                call.complete();
            } else {
                ByteString piece = ObjectsService.read(channel, left);
                left -= piece.size();
                call.pass(piece, this::next);
            }
        } catch (IOException failure) {
            call.fail(Status.UNAVAILABLE, "The object can not be read: " + failure.getMessage());
        }
    }
}
