/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
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
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java runtime has SHA-256", impossible);
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

    /** One name for a list of artifacts in class path order. */
    static String ofArtifacts(List<ByteString> artifacts) {
        MessageDigest digest = sha256();
        artifacts.forEach(artifact -> digest.update(artifact.toByteArray()));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A digest as people and file names know it. */
    public static String hex(ByteString digest) {
        return HexFormat.of().formatHex(digest.toByteArray());
    }
}
