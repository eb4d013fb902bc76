/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Function;

/**
 * Sends content as a stream of messages no faster than the receiver takes them: at most the transport's buffer is in
 * memory. Runs on the threads of the call.
 *
 * @param <M> message type
 */
public final class ObjectSender<M> {

    private final ReadableByteChannel channel;
    private final ServerCallStreamObserver<M> receiver;
    private final Function<ByteString, M> message;
    private long left;
    private boolean ended;

    private ObjectSender(
            ReadableByteChannel channel,
            long bytes,
            ServerCallStreamObserver<M> receiver,
            Function<ByteString, M> message) {
        this.left = bytes;
        this.channel = channel;
        this.receiver = receiver;
        this.message = message;
    }

    /**
     * Sends {@code bytes} from {@code channel}, closes it, and completes the call. To be called within the call's
     * method.
     */
    public static <M> void send(
            ReadableByteChannel channel,
            long bytes,
            ServerCallStreamObserver<M> receiver,
            Function<ByteString, M> message) {
        ObjectSender<M> sender = new ObjectSender<>(channel, bytes, receiver, message);
        receiver.setOnReadyThreshold(LargeMessages.READY_BYTES);
        receiver.setOnCancelHandler(sender::end);
        receiver.setOnReadyHandler(sender::sendWhileReady);
        sender.sendWhileReady();
    }

    private synchronized void sendWhileReady() {
        while (!ended && receiver.isReady()) {
            if (left == 0) {
                end();
                receiver.onCompleted();
                return;
            }
            try {
                ByteString piece = ObjectsService.read(channel, left);
                left -= piece.size();
                receiver.onNext(message.apply(piece));
            } catch (IOException failure) {
                end();
                receiver.onError(Status.DATA_LOSS
                        .withDescription("The object can not be read: " + failure.getMessage())
                        .asRuntimeException());
                return;
            }
        }
    }

    private synchronized void end() {
        if (!ended) {
            ended = true;
            try {
                channel.close();
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        }
    }
}
