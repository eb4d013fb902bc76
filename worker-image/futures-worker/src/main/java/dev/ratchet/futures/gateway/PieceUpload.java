/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.protocol.client.v1.UploadReply;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Receives content in messages and writes it in pieces of the store's size. The next message is asked for when what has
 * come is written, so one upload holds at most one transaction's content in memory.
 *
 * @param <M> message type
 */
abstract class PieceUpload<M> implements StreamObserver<M> {

    private final ServerCallStreamObserver<UploadReply> client;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private int pieces;
    private long bytes;
    private boolean failed;

    PieceUpload(ServerCallStreamObserver<UploadReply> client) {
        this.client = client;
    }

    /** One message at a time; to be called before the first one can come. */
    static void begin(ServerCallStreamObserver<UploadReply> client) {
        client.disableAutoRequest();
        client.request(1);
    }

    /**
     * Looks at a message, the first of which says what it is about.
     *
     * @return its content
     * @throws IllegalArgumentException if it is not acceptable
     */
    abstract ByteString accept(M message, boolean first);

    /**
     * Looks at how much has come.
     *
     * @throws IllegalArgumentException if that is more than was announced, or than may come at all
     */
    abstract void requireAtMost(long received);

    /** Where the pieces go, and whose they are; known after the first message. */
    abstract CompletableFuture<Void> write(int first, List<byte[]> someOfThem);

    /** Called when everything is written. */
    abstract CompletableFuture<Void> complete(int allPieces, long allBytes);

    /** Called at most once, after the last piece, when the upload was refused or its client has gone. */
    CompletableFuture<Void> discard() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onNext(M message) {
        if (failed) {
            return;
        }
        try {
            ByteString content = accept(message, bytes == 0 && pieces == 0 && pending.size() == 0);
            bytes += content.size();
            requireAtMost(bytes);
            pending.writeBytes(content.toByteArray());
        } catch (IllegalArgumentException refused) {
            fail(Status.INVALID_ARGUMENT, refused);
            return;
        }
        if (pending.size() >= ValueSizes.PIECE_BYTES * PieceStore.PIECES_PER_TRANSACTION) {
            flush(false);
        }
        written.whenComplete((unused, failure) -> {
            if (failure != null) {
                fail(Status.UNAVAILABLE, failure);
            } else {
                client.request(1);
            }
        });
    }

    @Override
    public void onError(Throwable gone) {
        if (!failed) {
            failed = true;
            discardAfterLast();
        }
    }

    private void discardAfterLast() {
        var unused = written.handle((done, failure) -> discard());
    }

    @Override
    public void onCompleted() {
        if (failed) {
            return;
        }
        flush(true);
        var unused = written.thenCompose(done -> complete(pieces, bytes)).whenComplete((done, failure) -> {
            if (failure != null) {
                fail(
                        failure.getCause() instanceof IllegalArgumentException
                                ? Status.INVALID_ARGUMENT
                                : Status.UNAVAILABLE,
                        failure.getCause() == null ? failure : failure.getCause());
            } else {
                Answers.orFail(client, () -> {
                    client.onNext(UploadReply.newBuilder().setChunks(pieces).build());
                    client.onCompleted();
                });
            }
        });
    }

    /** Writes what is complete; at the end also the last, shorter piece. */
    private void flush(boolean last) {
        byte[] content = pending.toByteArray();
        int whole = last ? content.length : content.length - content.length % ValueSizes.PIECE_BYTES;
        pending.reset();
        pending.write(content, whole, content.length - whole);
        List<byte[]> cut = PieceStore.cut(Arrays.copyOf(content, whole));
        for (int from = 0; from < cut.size(); from += PieceStore.PIECES_PER_TRANSACTION) {
            List<byte[]> some =
                    new ArrayList<>(cut.subList(from, Math.min(cut.size(), from + PieceStore.PIECES_PER_TRANSACTION)));
            int first = pieces;
            pieces += some.size();
            written = written.thenCompose(unused -> write(first, some));
        }
    }

    private void fail(Status status, Throwable failure) {
        if (!failed) {
            failed = true;
            discardAfterLast();
            client.onError(status.withDescription(failure.getMessage()).asRuntimeException());
        }
    }
}
