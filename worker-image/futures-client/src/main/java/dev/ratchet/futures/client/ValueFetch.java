/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.ValueChunk;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** Receives one large value into memory, and checks it. */
final class ValueFetch implements StreamObserver<ValueChunk> {

    private static final long VALUE_BYTES_MAX = 1L << 30;

    private final CompletableFuture<byte[]> value = new CompletableFuture<>();
    private final CRC32C checksum = new CRC32C();
    private byte[] content = {};
    private int received;
    private long announcedBytes;
    private int announcedChecksum;
    private boolean first = true;

    private ValueFetch() {}

    /** One try; fails with the call's status. */
    static CompletableFuture<byte[]> start(GatewayConnection connection, FutureId id) {
        return start(connection, id, false);
    }

    /** @param keepLost whether a lost result fails with DATA_LOSS instead of being computed again */
    static CompletableFuture<byte[]> start(GatewayConnection connection, FutureId id, boolean keepLost) {
        FetchRequest request = FetchRequest.newBuilder()
                .setId(Ids.bytes(id))
                .setKeepLost(keepLost)
                .build();
        return connection.channel().thenCompose(channel -> {
            ValueFetch fetch = new ValueFetch();
            GatewayGrpc.newStub(LargeMessages.over(channel)).fetch(request, fetch);
            return fetch.value.whenComplete((content, failure) -> {
                // It may be that nothing else uses this channel, and that nobody answers on it ever again.
                if (failure != null && Status.fromThrowable(failure).getCode() == Status.Code.UNAVAILABLE) {
                    connection.abandon(channel);
                }
            });
        });
    }

    /** What a caller is told of a value that did not come: that its client is not accepted, as of any other call. */
    static RuntimeException failure(GatewayConnection connection, FutureId id, Throwable cause) {
        Status status = Status.fromThrowable(cause);
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED -> connection.explain(cause);
            default ->
                new RatchetException("The value of " + id + " could not be fetched: " + status.getDescription(), cause);
        };
    }

    @Override
    public void onNext(ValueChunk chunk) {
        if (first) {
            first = false;
            announcedBytes = chunk.getBytes();
            announcedChecksum = chunk.getChecksum();
            if (chunk.getBytes() <= VALUE_BYTES_MAX) {
                content = new byte[(int) chunk.getBytes()];
            } else {
                value.completeExceptionally(Status.OUT_OF_RANGE
                        .withDescription("The value has " + chunk.getBytes() + " bytes, more than the limit of "
                                + VALUE_BYTES_MAX + ". Reduce it on the workers first.")
                        .asRuntimeException());
            }
        }
        ByteString piece = chunk.getContent();
        if (piece.size() <= content.length - received) {
            piece.copyTo(content, received);
            checksum.update(content, received, piece.size());
        }
        received += piece.size();
    }

    @Override
    public void onError(Throwable failure) {
        value.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        boolean checked = announcedChecksum == 0 || announcedChecksum == (int) checksum.getValue();
        if (received == announcedBytes && checked) {
            value.complete(content);
        } else {
            value.completeExceptionally(Status.UNAVAILABLE
                    .withDescription("The value has arrived damaged")
                    .asRuntimeException());
        }
    }
}
