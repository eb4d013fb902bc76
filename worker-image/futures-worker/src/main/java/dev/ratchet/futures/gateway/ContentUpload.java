/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * An argument on its way into the store, under the ids of its future and of its upload. What belongs to a future that
 * was submitted is not touched: it is repeated, or somebody else's.
 */
final class ContentUpload extends PieceUpload<ContentChunk> {

    private final FutureStore store;
    private UUID future = new UUID(0, 0);
    private ByteString upload = ByteString.EMPTY;

    ContentUpload(FutureStore store, ServerCallStreamObserver<UploadReply> client) {
        super(client);
        this.store = store;
    }

    @Override
    ByteString accept(ContentChunk message, boolean first) {
        if (first) {
            future = Ids.of(message.getArgumentOf()).value();
            int bytes = message.getArgumentUpload().size();
            Uploads.require(
                    bytes == 0 || bytes == ArgumentUploads.ID_BYTES,
                    "The id of an upload has " + ArgumentUploads.ID_BYTES + " bytes, not " + bytes);
            if (store.keys().keyspace().formats().get() >= ArgumentUploads.LEVEL) {
                upload = message.getArgumentUpload();
            }
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
                transaction -> keys.record(transaction, new FutureId(future)).thenAccept(record -> {
                    if (record.map(FutureRecord::getArgumentUpload)
                            .filter(upload::equals)
                            .isEmpty()) {
                        if (first == 0) {
                            UnusedNotes.write(transaction, keys, UnusedNotes.ARGUMENT, future);
                        }
                        PieceStore.write(
                                transaction, keys.arguments, ArgumentUploads.owner(future, upload), first, someOfThem);
                    }
                }));
    }

    @Override
    CompletableFuture<Void> complete(int allPieces, long allBytes) {
        return CompletableFuture.completedFuture(null);
    }
}
