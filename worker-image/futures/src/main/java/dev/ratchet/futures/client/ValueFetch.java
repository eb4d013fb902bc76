/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayStub;
import dev.ratchet.protocol.client.v1.ValueChunk;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** Receives one large value into memory, and checks it. */
final class ValueFetch implements StreamObserver<ValueChunk> {

    private static final long VALUE_BYTES_MAX = 1L << 30;

    private final CompletableFuture<byte[]> value = new CompletableFuture<>();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private ValueChunk announced = ValueChunk.getDefaultInstance();
    private boolean first = true;

    private ValueFetch() {}

    /** One try; fails with the call's status. */
    static CompletableFuture<byte[]> start(GatewayStub stub, FutureId id) {
        return start(stub, id, false);
    }

    /** @param keepLost whether a lost result fails with DATA_LOSS instead of being computed again */
    static CompletableFuture<byte[]> start(GatewayStub stub, FutureId id, boolean keepLost) {
        ValueFetch fetch = new ValueFetch();
        stub.fetch(
                FetchRequest.newBuilder()
                        .setId(Ids.bytes(id))
                        .setKeepLost(keepLost)
                        .build(),
                fetch);
        return fetch.value;
    }

    @Override
    public void onNext(ValueChunk chunk) {
        if (first) {
            first = false;
            announced = chunk;
            if (chunk.getBytes() > VALUE_BYTES_MAX) {
                value.completeExceptionally(Status.OUT_OF_RANGE
                        .withDescription("The value has " + chunk.getBytes() + " bytes, more than the limit of "
                                + VALUE_BYTES_MAX + ". Reduce it on the workers first.")
                        .asRuntimeException());
            }
        }
        ByteString piece = chunk.getContent();
        content.writeBytes(piece.toByteArray());
    }

    @Override
    public void onError(Throwable failure) {
        value.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        byte[] whole = content.toByteArray();
        CRC32C checksum = new CRC32C();
        checksum.update(whole);
        boolean checked = announced.getChecksum() == 0 || announced.getChecksum() == (int) checksum.getValue();
        if (whole.length == announced.getBytes() && checked) {
            value.complete(whole);
        } else {
            value.completeExceptionally(Status.UNAVAILABLE
                    .withDescription("The value has arrived damaged")
                    .asRuntimeException());
        }
    }
}
