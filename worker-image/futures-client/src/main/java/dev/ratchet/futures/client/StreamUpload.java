/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
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
    private @Nullable Pieces content;
    private boolean first = true;
    private boolean ended;

    /** Opens the content, once for each try. */
    @FunctionalInterface
    interface Source {
        Pieces open() throws IOException;

        /** Content in memory, which is not copied. */
        static Source of(byte[] content) {
            ByteString whole = UnsafeByteOperations.unsafeWrap(content);
            return () -> new Pieces() {
                private int sent;

                @Override
                public ByteString next() {
                    int from = sent;
                    sent = Math.min(whole.size(), from + LargeMessages.PIECE_BYTES);
                    return whole.substring(from, sent);
                }
            };
        }

        /** Content of a file. */
        static Source of(Path file) {
            return () -> {
                InputStream in = Files.newInputStream(file);
                return new Pieces() {
                    @Override
                    public ByteString next() throws IOException {
                        return UnsafeByteOperations.unsafeWrap(in.readNBytes(LargeMessages.PIECE_BYTES));
                    }

                    @Override
                    public void close() throws IOException {
                        in.close();
                    }
                };
            };
        }
    }

    /** Content, one message after the other. */
    interface Pieces extends Closeable {
        /** The next {@link LargeMessages#PIECE_BYTES}; what is shorter, or empty, is the last one. */
        ByteString next() throws IOException;

        @Override
        default void close() throws IOException {}
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

    /** Uploads code or an argument; {@code first} says whose it is. */
    static CompletableFuture<Void> ofContent(GatewayConnection connection, ContentChunk first, byte[] content) {
        return connection
                .<UploadReply>call((stub, answer) -> {
                    var unused = stub.uploadContent(new StreamUpload<>(
                            Source.of(content),
                            piece -> first.toBuilder().setContent(piece).build(),
                            piece -> ContentChunk.newBuilder().setContent(piece).build(),
                            answer));
                })
                .thenApply(done -> null);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<M> call) {
        call.setOnReadyHandler(() -> send(call));
    }

    private synchronized void send(ClientCallStreamObserver<M> call) {
        try {
            Pieces open = content == null ? source.open() : content;
            content = open;
            while (!ended && call.isReady()) {
                ByteString piece = open.next();
                if (!piece.isEmpty() || first) {
                    call.onNext((first ? firstMessage : nextMessage).apply(piece));
                    first = false;
                }
                if (piece.size() < LargeMessages.PIECE_BYTES) {
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
