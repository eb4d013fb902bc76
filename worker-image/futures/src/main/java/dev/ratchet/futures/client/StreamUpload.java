/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.futures.object.LargeMessages;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream of bytes as messages, no faster than they are taken.
 *
 * @param <M> message type
 * @param <R> type of the answer
 */
final class StreamUpload<M, R> implements ClientResponseObserver<M, R> {

    private final Source source;
    private final Function<ByteString, M> firstMessage;
    private final Function<ByteString, M> nextMessage;
    private final StreamObserver<R> reply;
    private @Nullable InputStream content;
    private boolean first = true;
    private boolean ended;

    /** Opens the content, once for each try. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    StreamUpload(
            Source source,
            Function<ByteString, M> firstMessage,
            Function<ByteString, M> nextMessage,
            StreamObserver<R> reply) {
        this.source = source;
        this.firstMessage = firstMessage;
        this.nextMessage = nextMessage;
        this.reply = reply;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<M> call) {
        call.setOnReadyHandler(() -> send(call));
    }

    private synchronized void send(ClientCallStreamObserver<M> call) {
        try {
            InputStream open = content == null ? source.open() : content;
            content = open;
            while (!ended && call.isReady()) {
                byte[] chunk = new byte[LargeMessages.PIECE_BYTES];
                int length = open.readNBytes(chunk, 0, chunk.length);
                if (length > 0 || first) {
                    ByteString piece = UnsafeByteOperations.unsafeWrap(chunk, 0, length);
                    call.onNext((first ? firstMessage : nextMessage).apply(piece));
                    first = false;
                }
                if (length < chunk.length) {
                    end();
                    call.onCompleted();
                }
            }
        } catch (IOException unreadable) {
            ended = true;
            call.cancel("The content can not be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private void end() throws IOException {
        ended = true;
        if (content != null) {
            content.close();
        }
    }

    @Override
    public void onNext(R value) {
        reply.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
        synchronized (this) {
            ended = true;
        }
        reply.onError(failure);
    }

    @Override
    public void onCompleted() {
        reply.onCompleted();
    }
}
