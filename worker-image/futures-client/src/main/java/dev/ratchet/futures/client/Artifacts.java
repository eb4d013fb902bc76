/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.protocol.client.v1.ArtifactChunk;
import dev.ratchet.protocol.client.v1.MissingArtifactsReply;
import dev.ratchet.protocol.client.v1.MissingArtifactsRequest;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The code of one connection on its way to the cluster: each artifact is looked at once, and uploaded if the cluster
 * lacks it, which is asked anew every 20 minutes. Safe for use by several threads.
 */
final class Artifacts implements Shipping {

    /** After this time the cluster is asked again: it keeps what nobody names for an hour. */
    private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(20);

    private final GatewayConnection connection;
    private final List<Artifact> given = new ArrayList<>();
    private final Map<Path, Artifact> found = new TreeMap<>();
    private final Map<ByteString, Upload> uploads = new HashMap<>();

    /** That the cluster has an artifact, or will have it, and since when that is known. */
    private record Upload(CompletableFuture<Void> done, long sinceNanos) {}

    /** @throws InvalidInputException if one of the paths is no artifact */
    Artifacts(GatewayConnection connection, List<Path> paths) {
        this.connection = connection;
        paths.forEach(path -> given.add(Artifact.of(path)));
    }

    /** Those given with the connection, or else the one that holds {@code type}. */
    @Override
    public synchronized Shipped shipFor(Class<?> type) {
        return ship(given.isEmpty() ? List.of(artifactOf(type)) : given);
    }

    @Override
    public synchronized Shipped shipKnown() {
        return ship(given.isEmpty() ? List.copyOf(found.values()) : given);
    }

    /** Those given with the connection. @throws InvalidInputException if there are none */
    @Override
    public synchronized Shipped shipGiven() {
        if (given.isEmpty()) {
            throw new InvalidInputException("A task by name needs an artifact. Give its jar to the connection.");
        }
        return ship(given);
    }

    /** Whether a class is of the code that this connection sends. */
    synchronized boolean hold(Class<?> type) {
        return Stream.concat(given.stream(), found.values().stream()).anyMatch(artifact -> artifact.holds(type));
    }

    private Shipped ship(List<Artifact> artifacts) {
        List<ByteString> digests = new ArrayList<>();
        List<CompletableFuture<Void>> pending = new ArrayList<>();
        for (Artifact artifact : artifacts) {
            digests.add(artifact.digest());
            Upload upload = uploads.get(artifact.digest());
            long now = connection.environment().nanoTime();
            if (upload == null || upload.done().isCompletedExceptionally() || now - upload.sinceNanos() > KNOWN_NANOS) {
                upload = new Upload(upload(artifact), now);
                uploads.put(artifact.digest(), upload);
            }
            pending.add(upload.done());
        }
        return new Shipped(digests, CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)));
    }

    private Artifact artifactOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location == null || !location.getProtocol().equals("file")) {
            throw new InvalidInputException("The class " + type.getName()
                    + " does not come from a jar or a directory of classes. Give the connection the artifact with it.");
        }
        try {
            return found.computeIfAbsent(Path.of(location.toURI()), Artifact::of);
        } catch (URISyntaxException malformed) {
            throw new InvalidInputException("The class " + type.getName() + " comes from " + location, malformed);
        }
    }

    private CompletableFuture<Void> upload(Artifact artifact) {
        return connection
                .<MissingArtifactsReply>call((stub, reply) -> stub.missingArtifacts(
                        MissingArtifactsRequest.newBuilder()
                                .addDigests(artifact.digest())
                                .build(),
                        reply))
                .thenCompose(reply -> reply.getDigestsCount() == 0
                        ? CompletableFuture.completedFuture(null)
                        : connection
                                .<dev.ratchet.protocol.client.v1.UploadReply>call((stub, answer) -> {
                                    var unused = stub.uploadArtifact(new StreamUpload<>(
                                            artifact.content(),
                                            content -> ArtifactChunk.newBuilder()
                                                    .setDigest(artifact.digest())
                                                    .setName(artifact.name())
                                                    .setBytes(artifact.bytes())
                                                    .setContent(content)
                                                    .build(),
                                            content -> ArtifactChunk.newBuilder()
                                                    .setContent(content)
                                                    .build(),
                                            answer));
                                })
                                .thenApply(done -> null));
    }
}
