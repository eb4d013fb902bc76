/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.code.PieceStore;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ArtifactChunk;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.MissingArtifactsReply;
import dev.ratchet.protocol.client.v1.MissingArtifactsRequest;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Takes code and large arguments from clients into the store. */
final class Uploads {

    /** Largest jar. */
    static final long ARTIFACT_BYTES_MAX = 256L << 20;

    /** Largest argument, and largest function with what it captures. */
    static final long CONTENT_BYTES_MAX = 64L << 20;

    private static final int DIGEST_BYTES = 32;
    private static final int ARTIFACTS_MAX = 64;

    private final FutureStore store;

    Uploads(FutureStore store) {
        this.store = store;
    }

    /** Which are not there; those that are stay for another hour, so that they can be named. */
    CompletableFuture<MissingArtifactsReply> missing(MissingArtifactsRequest request) {
        if (request.getDigestsCount() > ARTIFACTS_MAX) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(
                    "At most " + ARTIFACTS_MAX + " artifacts, not " + request.getDigestsCount()));
        }
        return store.runPlain(transaction -> {
            Map<ByteString, CompletableFuture<byte[]>> reads = new LinkedHashMap<>();
            request.getDigestsList()
                    .forEach(digest -> reads.put(
                            digest, transaction.get(store.keys().artifacts.key((Object) digest.toByteArray()))));
            return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                    .thenApply(unused -> {
                        MissingArtifactsReply.Builder reply = MissingArtifactsReply.newBuilder();
                        reads.forEach((digest, read) -> {
                            if (read.join() == null) {
                                reply.addDigests(digest);
                            } else {
                                note(transaction, UnusedNotes.ARTIFACT, digest.toByteArray());
                            }
                        });
                        return reply.build();
                    });
        });
    }

    StreamObserver<ArtifactChunk> artifact(ServerCallStreamObserver<UploadReply> client) {
        PieceStore pieces = new PieceStore(store, store.keys().artifactContent);
        MessageDigest content = Digests.sha256();
        return new PieceUpload<>(client) {
            private ArtifactChunk announced = ArtifactChunk.getDefaultInstance();

            @Override
            ByteString accept(ArtifactChunk message, boolean first) {
                if (first) {
                    require(message.getDigest().size() == DIGEST_BYTES, "An artifact is named by 32 bytes of SHA-256");
                    require(
                            message.getBytes() > 0 && message.getBytes() <= ARTIFACT_BYTES_MAX,
                            "An artifact has at most " + ARTIFACT_BYTES_MAX + " bytes, not " + message.getBytes());
                    announced = message;
                }
                content.update(message.getContent().asReadOnlyByteBuffer());
                return message.getContent();
            }

            @Override
            CompletableFuture<Void> write(int first, List<byte[]> someOfThem) {
                byte[] owner = announced.getDigest().toByteArray();
                return first > 0
                        ? pieces.write(owner, first, someOfThem)
                        : note(UnusedNotes.ARTIFACT, owner)
                                .thenCompose(noted -> pieces.write(owner, first, someOfThem));
            }

            @Override
            CompletableFuture<Void> complete(int allPieces, long allBytes) {
                require(
                        ByteString.copyFrom(content.digest()).equals(announced.getDigest()),
                        "The artifact " + announced.getName() + " has arrived with another content than announced");
                return store.runPlain(transaction -> {
                    transaction.set(
                            store.keys().artifacts.key((Object)
                                    announced.getDigest().toByteArray()),
                            store.keys()
                                    .artifacts
                                    .encode(ArtifactRecord.newBuilder()
                                            .setName(announced.getName())
                                            .setBytes(allBytes)
                                            .setChunks(allPieces)
                                            .build()));
                    return CompletableFuture.completedFuture(null);
                });
            }
        };
    }

    StreamObserver<ContentChunk> content(ServerCallStreamObserver<UploadReply> client) {
        PieceStore arguments = new PieceStore(store, store.keys().arguments);
        PieceStore functions = new PieceStore(store, store.keys().functionContent);
        return new PieceUpload<>(client) {
            private ContentChunk announced = ContentChunk.getDefaultInstance();
            private long received;

            @Override
            ByteString accept(ContentChunk message, boolean first) {
                if (first) {
                    require(
                            message.getTargetCase() != ContentChunk.TargetCase.TARGET_NOT_SET,
                            "The first message names what the content belongs to");
                    announced = message;
                }
                received += message.getContent().size();
                require(received <= CONTENT_BYTES_MAX, "An argument has at most " + CONTENT_BYTES_MAX + " bytes");
                return message.getContent();
            }

            @Override
            CompletableFuture<Void> write(int first, List<byte[]> someOfThem) {
                Object owner = announced.hasFunction()
                        ? announced.getFunction().toByteArray()
                        : Ids.of(announced.getArgumentOf()).value();
                PieceStore pieces = announced.hasFunction() ? functions : arguments;
                return first > 0
                        ? pieces.write(owner, first, someOfThem)
                        : note(announced.hasFunction() ? UnusedNotes.FUNCTION : UnusedNotes.ARGUMENT, owner)
                                .thenCompose(noted -> pieces.write(owner, first, someOfThem));
            }

            @Override
            CompletableFuture<Void> complete(int allPieces, long allBytes) {
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    /** Notes what has nobody until it is submitted, before anything of it is written. */
    private CompletableFuture<Void> note(String kind, Object owner) {
        return store.runPlain(transaction -> {
            note(transaction, kind, owner);
            return CompletableFuture.completedFuture(null);
        });
    }

    private void note(Transaction transaction, String kind, Object owner) {
        UnusedNotes.write(transaction, store.keys(), kind, owner);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
