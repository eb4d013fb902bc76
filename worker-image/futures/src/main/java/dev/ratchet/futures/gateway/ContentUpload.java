/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.code.PieceStore;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.store.keyspace.Table;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes a large function or argument that is about to be submitted. What was submitted already keeps what it has: each
 * transaction reads whether it was, so nobody can put another content under the name of what is stored.
 */
final class ContentUpload extends PieceUpload<ContentChunk> {

    private final FutureStore store;
    private ContentChunk announced = ContentChunk.getDefaultInstance();
    private long received;

    ContentUpload(FutureStore store, ServerCallStreamObserver<UploadReply> client) {
        super(client);
        this.store = store;
    }

    @Override
    ByteString accept(ContentChunk message, boolean first) {
        if (first) {
            Uploads.require(
                    message.getTargetCase() != ContentChunk.TargetCase.TARGET_NOT_SET,
                    "The first message names what the content belongs to");
            announced = message;
        }
        received += message.getContent().size();
        Uploads.require(
                received <= Uploads.CONTENT_BYTES_MAX,
                "A function or an argument has at most " + Uploads.CONTENT_BYTES_MAX + " bytes");
        return message.getContent();
    }

    @Override
    CompletableFuture<Void> write(int first, List<byte[]> someOfThem) {
        FutureKeys keys = store.keys();
        boolean function = announced.hasFunction();
        Object owner = function
                ? announced.getFunction().toByteArray()
                : Ids.of(announced.getArgumentOf()).value();
        byte[] submitted = function ? keys.functions.key(owner) : keys.records.key(owner);
        Table<byte[]> table = function ? keys.functionContent : keys.arguments;
        return store.runPlain(transaction -> transaction.get(submitted).thenAccept(record -> {
            if (record == null) {
                if (first == 0) {
                    String kind = function ? UnusedNotes.FUNCTION : UnusedNotes.ARGUMENT;
                    UnusedNotes.write(transaction, keys, kind, owner);
                }
                PieceStore.write(transaction, table, owner, first, someOfThem);
            }
        }));
    }

    @Override
    CompletableFuture<Void> complete(int allPieces, long allBytes) {
        return CompletableFuture.completedFuture(null);
    }
}
