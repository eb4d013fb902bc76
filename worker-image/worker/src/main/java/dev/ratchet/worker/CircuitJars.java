/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.futures.artifact.ArtifactUnusableException;
import dev.ratchet.futures.artifact.ArtifactUse;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Jars of programs are where the code of futures is. Safe for use by several threads. */
final class CircuitJars implements JarSource {

    private final ArtifactUse artifacts;

    CircuitJars(ArtifactUse artifacts) {
        this.artifacts = artifacts;
    }

    static ByteString digest(String jar) {
        return ByteString.copyFrom(HexFormat.of().parseHex(jar));
    }

    @Override
    public CompletableFuture<Path> fetch(String jar) {
        return artifacts.file(digest(jar)).exceptionallyCompose(failure -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            String remedy = cause instanceof ArtifactUnusableException
                    ? "Upload it by ratchet circuit upload, which prints its digest, and name that digest in"
                            + " spec.circuit.class.artifact; a jar that no circuit names is kept for an hour."
                    : "It is tried again.";
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "The jar sha256:" + jar + " of the program can not be fetched: " + cause.getMessage() + " "
                            + remedy,
                    cause));
        });
    }

    @Override
    public CompletableFuture<Boolean> isStored(ReadTransaction transaction, String jar) {
        return artifacts.isStored(transaction, digest(jar));
    }

    @Override
    public void release(Transaction transaction, String jar) {
        artifacts.release(transaction, digest(jar));
    }
}
