/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * An argument on its way into the store, under the id of its future. What belongs to a future that was submitted is not
 * touched: it is repeated, or somebody else's.
 */
final class ContentUpload extends PieceUpload<ContentChunk> {

    private final FutureStore store;
    private UUID owner = new UUID(0, 0);

    ContentUpload(FutureStore store, ServerCallStreamObserver<UploadReply> client) {
        super(client);
        this.store = store;
    }

    @Override
    ByteString accept(ContentChunk message, boolean first) {
        if (first) {
            owner = Ids.of(message.getArgumentOf()).value();
        }
        return message.getContent();
    }

    @Override
    void requireAtMost(long received) {
        Uploads.require(
                received <= Uploads.CONTENT_BYTES_MAX,
                "An argument has at most " + Uploads.CONTENT_BYTES_MAX + " bytes, and more have come");
    }

    @Override
    CompletableFuture<Void> write(int first, List<byte[]> someOfThem) {
        FutureKeys keys = store.keys();
        return store.runPlain(
                transaction -> transaction.get(keys.records.key(owner)).thenAccept(record -> {
                    if (record == null) {
                        if (first == 0) {
                            UnusedNotes.write(transaction, keys, UnusedNotes.ARGUMENT, owner);
                        }
                        PieceStore.write(transaction, keys.arguments, owner, first, someOfThem);
                    }
                }));
    }

    @Override
    CompletableFuture<Void> complete(int allPieces, long allBytes) {
        return CompletableFuture.completedFuture(null);
    }
}
