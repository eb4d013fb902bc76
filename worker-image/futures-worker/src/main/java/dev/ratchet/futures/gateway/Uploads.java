/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.client.v1.ArtifactChunk;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.MissingArtifactsReply;
import dev.ratchet.protocol.client.v1.MissingArtifactsRequest;
import dev.ratchet.protocol.client.v1.UploadReply;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Takes code and large arguments from clients into the store. */
final class Uploads {

    /** Largest jar. */
    static final long ARTIFACT_BYTES_MAX = 256L << 20;

    /** Largest argument, and largest function with what it captures. */
    static final long CONTENT_BYTES_MAX = 64L << 20;

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
            return AsyncUtil.whenAll(reads.values()).thenApply(unused -> {
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
        PieceUpload.begin(client);
        return new ArtifactUpload(store, client);
    }

    StreamObserver<ContentChunk> content(ServerCallStreamObserver<UploadReply> client) {
        return new EitherUpload(store, client);
    }

    private void note(Transaction transaction, String kind, Object owner) {
        UnusedNotes.write(transaction, store.keys(), kind, owner);
    }

    /** @throws IllegalArgumentException with this message, unless it holds */
    static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
