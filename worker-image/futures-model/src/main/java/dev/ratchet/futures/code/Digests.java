/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** How code is named: by SHA-256 of its content, so that equal code is stored once and can not be exchanged. */
public final class Digests {

    private static final int FUNCTION_DIGEST_BYTES = 16;

    private Digests() {}

    /** A new SHA-256. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException unschedulable) {
            throw new IllegalStateException("Every Java runtime has SHA-256", unschedulable);
        }
    }

    /** Digest of a file. */
    public static ByteString ofFile(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return UnsafeByteOperations.unsafeWrap(digest.digest());
    }

    /** Digest of a function: of its artifacts and its code, before the code was put into pieces. */
    public static ByteString ofFunction(FunctionRecord function) {
        byte[] digest =
                sha256().digest(function.toBuilder().clearChunks().build().toByteArray());
        return ByteString.copyFrom(Arrays.copyOf(digest, FUNCTION_DIGEST_BYTES));
    }

    /**
     * Lets a function through that is what it is called; one whose code comes piece by piece is not here to be seen.
     *
     * @throws IllegalArgumentException if the code is here and has another digest
     */
    public static void requireTrue(ByteString digest, FunctionRecord function) {
        if (function.getChunks() == 0 && !ofFunction(function).equals(digest)) {
            throw new IllegalArgumentException("The code of a function has another digest than it was sent under."
                    + " Send it with the library of this release.");
        }
    }

    /** The digest of a function whose code, in its record {@code serialized}, comes piece by piece. */
    public static final class Function {
        private static final int SERIALIZED_TAG =
                FunctionRecord.SERIALIZED_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
        private final MessageDigest digest = sha256();

        /** @param bytes size of the code */
        public Function(FunctionRecord rest, long bytes) {
            digest.update(FunctionRecord.newBuilder()
                    .addAllArtifacts(rest.getArtifactsList())
                    .build()
                    .toByteArray());
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            CodedOutputStream coded = CodedOutputStream.newInstance(header);
            try {
                coded.writeUInt32NoTag(SERIALIZED_TAG);
                coded.writeUInt64NoTag(bytes);
                coded.flush();
            } catch (IOException unschedulable) {
                throw new IllegalStateException("Memory can be written to", unschedulable);
            }
            digest.update(header.toByteArray());
        }

        public void update(ByteString piece) {
            digest.update(piece.asReadOnlyByteBuffer());
        }

        /** As {@link Digests#ofFunction} says of the whole; may be asked once. */
        public ByteString digest() {
            return ByteString.copyFrom(Arrays.copyOf(digest.digest(), FUNCTION_DIGEST_BYTES));
        }
    }

    /** One name for a list of artifacts in class path order. */
    public static String ofArtifacts(List<ByteString> artifacts) {
        MessageDigest digest = sha256();
        artifacts.forEach(artifact -> digest.update(artifact.toByteArray()));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A digest as people and file names know it. */
    public static String hex(ByteString digest) {
        return HexFormat.of().formatHex(digest.toByteArray());
    }
}
