/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ArtifactChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import io.grpc.stub.ServerCallStreamObserver;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Takes a jar. Its pieces have a name of their own, digest and a random id of this upload, until all of them are there
 * and fit what was announced; only then one transaction makes them those of the jar. So an upload that is refused, or
 * ends in the middle, changes nothing of what is stored. What such an upload has left is cleared at its end, or by who
 * collects, an hour after its note.
 */
final class ArtifactUpload extends PieceUpload<ArtifactChunk> {

    private static final int DIGEST_BYTES = 32;

    private final FutureStore store;
    private final FutureKeys keys;
    private final MessageDigest content = Digests.sha256();
    private ArtifactChunk announced = ArtifactChunk.getDefaultInstance();
    private byte[] upload = {};

    ArtifactUpload(FutureStore store, ServerCallStreamObserver<UploadReply> client) {
        super(client);
        this.store = store;
        this.keys = store.keys();
    }

    @Override
    ByteString accept(ArtifactChunk message, boolean first) {
        if (first) {
            Uploads.require(message.getDigest().size() == DIGEST_BYTES, "An artifact is named by 32 bytes of SHA-256");
            Uploads.require(
                    message.getBytes() > 0 && message.getBytes() <= Uploads.ARTIFACT_BYTES_MAX,
                    "An artifact has at most " + Uploads.ARTIFACT_BYTES_MAX + " bytes, not " + message.getBytes());
            announced = message;
            upload = name(message.getDigest(), store.environment().randomId());
        }
        content.update(message.getContent().asReadOnlyByteBuffer());
        return message.getContent();
    }

    @Override
    void requireAtMost(long received) {
        Uploads.require(
                received <= announced.getBytes(),
                "The artifact " + announced.getName() + " has more than the " + announced.getBytes()
                        + " bytes that were announced");
    }

    private static byte[] name(ByteString digest, UUID id) {
        return ByteBuffer.allocate(DIGEST_BYTES + 2 * Long.BYTES)
                .put(digest.asReadOnlyByteBuffer())
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    @Override
    CompletableFuture<Void> write(int first, List<byte[]> someOfThem) {
        return store.runPlain(transaction -> {
            if (first == 0) {
                UnusedNotes.write(transaction, keys, UnusedNotes.UPLOAD, upload);
            }
            PieceStore.write(transaction, keys.artifactContent, upload, first, someOfThem);
            return CompletableFuture.completedFuture(null);
        });
    }

    @Override
    CompletableFuture<Void> complete(int allPieces, long allBytes) {
        Uploads.require(
                allBytes == announced.getBytes(),
                "The artifact " + announced.getName() + " has arrived with " + allBytes + " bytes, and "
                        + announced.getBytes() + " were announced");
        Uploads.require(
                ByteString.copyFrom(content.digest()).equals(announced.getDigest()),
                "The artifact " + announced.getName() + " has arrived with another content than announced");
        byte[] digest = announced.getDigest().toByteArray();
        return store.runPlain(transaction -> {
            CompletableFuture<byte[]> noted = transaction.get(keys.unused.key(UnusedNotes.UPLOAD, upload));
            return transaction.get(keys.artifacts.key((Object) digest)).thenCombine(noted, (stored, note) -> {
                if (stored == null) {
                    publish(transaction, digest, allPieces, note != null);
                } else if (!ByteString.copyFrom(upload)
                        .equals(keys.artifacts.decode(stored).getContent())) {
                    clear(transaction);
                }
                UnusedNotes.write(transaction, keys, UnusedNotes.ARTIFACT, digest);
                return null;
            });
        });
    }

    private void publish(Transaction transaction, byte[] digest, int allPieces, boolean noted) {
        Uploads.require(
                noted, "The artifact " + announced.getName() + " took longer than an hour to arrive; upload it again");
        ArtifactRecord record = ArtifactRecord.newBuilder()
                .setName(announced.getName())
                .setBytes(announced.getBytes())
                .setChunks(allPieces)
                .setContent(ByteString.copyFrom(upload))
                .build();
        keys.artifacts.set(transaction, record, (Object) digest);
        keys.unused.clear(transaction, UnusedNotes.UPLOAD, upload);
    }

    private void clear(Transaction transaction) {
        keys.artifactContent.clearAll(transaction, (Object) upload);
        keys.unused.clear(transaction, UnusedNotes.UPLOAD, upload);
    }

    @Override
    CompletableFuture<Void> discard() {
        // Whether the last transaction was carried out may be unknown: what became a jar has no note any more.
        return upload.length == 0
                ? CompletableFuture.completedFuture(null)
                : store.runPlain(transaction -> transaction
                        .get(keys.unused.key(UnusedNotes.UPLOAD, upload))
                        .thenAccept(note -> {
                            if (note != null) {
                                clear(transaction);
                            }
                        }));
    }
}
