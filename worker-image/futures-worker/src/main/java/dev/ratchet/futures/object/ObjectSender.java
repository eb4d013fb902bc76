/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.LargeMessages;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.function.Function;

/**
 * Sends an object as a stream of messages no faster than the receiver takes them: at most the transport's buffer is in
 * memory, into which what is sent goes straight from where it is. The object stays there until the call has ended,
 * however that happens. Runs on the threads of the call.
 *
 * @param <M> message type
 */
final class ObjectSender<M> {

    private final ObjectReader object;
    private final ServerCallStreamObserver<M> receiver;
    private final Function<ByteString, M> message;
    private boolean ended;

    private ObjectSender(ObjectReader object, ServerCallStreamObserver<M> receiver, Function<ByteString, M> message) {
        this.object = object;
        this.receiver = receiver;
        this.message = message;
    }

    /** Sends the object, closes it, and completes the call. To be called within the call's method. */
    static <M> void send(ObjectReader object, ServerCallStreamObserver<M> receiver, Function<ByteString, M> message) {
        ObjectSender<M> sender = new ObjectSender<>(object, receiver, message);
        receiver.setOnReadyThreshold(LargeMessages.READY_BYTES);
        receiver.setOnCancelHandler(sender::end);
        receiver.setOnCloseHandler(sender::end);
        receiver.setOnReadyHandler(sender::sendWhileReady);
        sender.sendWhileReady();
    }

    private synchronized void sendWhileReady() {
        while (!ended && receiver.isReady()) {
            try {
                ended = !object.hasNext();
                if (ended) {
                    receiver.onCompleted();
                } else {
                    receiver.onNext(message.apply(object.nextInPlace()));
                }
            } catch (IOException failure) {
                ended = true;
                Status status = DamagedObjectException.isGone(failure) ? Status.DATA_LOSS : Status.UNAVAILABLE;
                receiver.onError(status.withDescription("The object can not be read: " + failure)
                        .asRuntimeException());
            }
        }
    }

    private synchronized void end() {
        ended = true;
        object.close();
    }
}
