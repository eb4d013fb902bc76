/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import io.grpc.stub.ServerCallStreamObserver;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A large function on its way into the store. Its pieces have a name of this upload until digest and size have proved
 * right, and become those of the function only then: whoever knows a digest can put nothing else under it.
 */
final class FunctionUpload extends PieceUpload<ContentChunk> {

    private final FutureStore store;
    private final FutureKeys keys;
    private final byte[] upload;
    private ContentChunk announced = ContentChunk.getDefaultInstance();
    private Digests.Function content = new Digests.Function(announced.getCode(), 0);

    FunctionUpload(FutureStore store, ServerCallStreamObserver<UploadReply> client) {
        super(client);
        this.store = store;
        this.keys = store.keys();
        UUID id = store.environment().randomId();
        this.upload = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    @Override
    ByteString accept(ContentChunk message, boolean first) {
        if (first) {
            Uploads.require(
                    message.getBytes() > 0 && message.getBytes() <= Uploads.CONTENT_BYTES_MAX,
                    "A function has 1 to " + Uploads.CONTENT_BYTES_MAX + " bytes, and not " + message.getBytes()
                            + "; a client of another release may not say so");
            announced = message.toBuilder().clearContent().build();
            content = new Digests.Function(message.getCode(), message.getBytes());
        }
        content.update(message.getContent());
        return message.getContent();
    }

    @Override
    void requireAtMost(long received) {
        Uploads.require(
                received <= announced.getBytes(),
                "The function has more than the " + announced.getBytes() + " bytes that were announced");
    }

    @Override
    CompletableFuture<Void> write(int first, List<byte[]> someOfThem) {
        return store.runPlain(transaction -> {
            if (first == 0) {
                UnusedNotes.write(transaction, keys, UnusedNotes.FUNCTION, upload);
            }
            PieceStore.write(transaction, keys.functionContent, upload, first, someOfThem);
            return CompletableFuture.completedFuture(null);
        });
    }

    @Override
    CompletableFuture<Void> complete(int allPieces, long allBytes) {
        Uploads.require(
                allBytes == announced.getBytes(),
                "The function has arrived with " + allBytes + " bytes, and " + announced.getBytes()
                        + " were announced");
        Uploads.require(
                content.digest().equals(announced.getFunction()),
                "The function has arrived with another content than announced");
        return publish(0, allPieces).thenCompose(done -> discard());
    }

    /**
     * Copies pieces, some at a time, and records the function with the last of them: who repeats it writes the same
     * again. What somebody has recorded under the digest who has uploaded nothing gives way.
     */
    private CompletableFuture<Void> publish(int first, int allPieces) {
        if (first >= allPieces) {
            return CompletableFuture.completedFuture(null);
        }
        int last = Math.min(allPieces, first + PieceStore.PIECES_PER_TRANSACTION);
        return store.runPlain(transaction -> copy(transaction, first, last, allPieces))
                .thenCompose(copied -> publish(last, allPieces));
    }

    private CompletableFuture<Void> copy(Transaction transaction, int first, int last, int allPieces) {
        byte[] digest = announced.getFunction().toByteArray();
        CompletableFuture<List<KeyValue>> pieces = transaction
                .getRange(keys.functionContent.key(upload, first), keys.functionContent.key(upload, last))
                .asList();
        CompletableFuture<List<KeyValue>> stored = transaction
                .getRange(keys.functionContent.key(digest, first), keys.functionContent.key(digest, last))
                .asList();
        return stored.thenCombine(pieces, (there, found) -> {
            if (found.size() != last - first) {
                throw new IllegalStateException("Pieces of the upload are missing; upload it again");
            }
            if (first == 0) {
                UnusedNotes.write(transaction, keys, UnusedNotes.FUNCTION, digest);
            }
            if (there.size() < found.size()) {
                List<byte[]> values = new ArrayList<>();
                found.forEach(piece -> values.add(piece.getValue()));
                PieceStore.write(transaction, keys.functionContent, digest, first, values);
            }
            if (last == allPieces) {
                keys.functions.set(
                        transaction,
                        FunctionRecord.newBuilder()
                                .addAllArtifacts(announced.getCode().getArtifactsList())
                                .setChunks(allPieces)
                                .build(),
                        (Object) digest);
            }
            return null;
        });
    }

    @Override
    CompletableFuture<Void> discard() {
        return store.runPlain(transaction -> {
            keys.functionContent.clearAll(transaction, (Object) upload);
            keys.unused.clear(transaction, UnusedNotes.FUNCTION, upload);
            return CompletableFuture.completedFuture(null);
        });
    }
}
