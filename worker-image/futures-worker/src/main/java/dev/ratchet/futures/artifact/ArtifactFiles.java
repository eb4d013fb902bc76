/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.artifact;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The jars of users on this worker's disk, fetched from the store when first needed and named by digest. A file is
 * under its name only once its digest has been checked; what is found there at start is checked again before use.
 */
final class ArtifactFiles {

    private final FutureStore store;
    private final PieceStore content;
    private final Path directory;
    private final Map<ByteString, CompletableFuture<Path>> files = new ConcurrentHashMap<>();

    ArtifactFiles(FutureStore store, Path directory) throws IOException {
        this.store = store;
        this.content = new PieceStore(store, store.keys().artifactContent);
        this.directory = Files.createDirectories(directory);
    }

    /** The file with this content. */
    CompletableFuture<Path> file(ByteString digest) {
        CompletableFuture<Path> file = files.computeIfAbsent(digest, this::find);
        return file.whenComplete((path, failure) -> {
            if (failure != null) {
                files.remove(digest, file);
            }
        });
    }

    private CompletableFuture<Path> find(ByteString digest) {
        Path target = directory.resolve(Digests.hex(digest) + ".jar");
        try {
            if (Files.exists(target) && Digests.ofFile(target).equals(digest)) {
                return CompletableFuture.completedFuture(target);
            }
        } catch (IOException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
        FutureKeys keys = store.keys();
        return store.read(transaction -> transaction.get(keys.artifacts.key((Object) digest.toByteArray())))
                .thenCompose(value -> {
                    ArtifactRecord record = keys.artifacts.decodeOrNull(value);
                    if (record == null) {
                        throw new ArtifactUnusableException("The artifact " + Digests.hex(digest)
                                + " is not in the store. Submit again from a new connection, which uploads it.");
                    }
                    return download(digest, record, target);
                });
    }

    private CompletableFuture<Path> download(ByteString digest, ArtifactRecord record, Path target) {
        Path partial = directory.resolve(Digests.hex(digest) + ".partial");
        OutputStream out;
        try {
            out = Files.newOutputStream(partial);
        } catch (IOException unwritable) {
            return CompletableFuture.failedFuture(unwritable);
        }
        return content.read(owner(digest, record), record.getChunks(), piece -> write(out, piece))
                .whenComplete((unused, failure) -> close(out))
                .thenApply(unused -> publish(digest, partial, target));
    }

    /** Under which the pieces of a jar are. */
    static byte[] owner(ByteString digest, ArtifactRecord record) {
        return (record.getContent().isEmpty() ? digest : record.getContent()).toByteArray();
    }

    private static Path publish(ByteString digest, Path partial, Path target) {
        try {
            if (!Digests.ofFile(partial).equals(digest)) {
                throw new ArtifactUnusableException("The artifact " + Digests.hex(digest)
                        + " is damaged in the store. Pack the jar anew, so that it has another digest, and use that.");
            }
            return Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void write(OutputStream out, byte[] piece) {
        try {
            out.write(piece);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private static void close(OutputStream out) {
        try {
            out.close();
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
