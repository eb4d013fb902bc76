/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credential in a directory's {@code tls.crt}, {@code tls.key} and {@code ca.crt}, read again when a handshake
 * begins and the files have changed. Looking costs three reads of small files, so there is no thread and no delay to a
 * rotation. What can not be read never replaces what could: a half-written or damaged update leaves the last good
 * credential in use, with one line in the log.
 */
final class CredentialDirectory implements CredentialSource {

    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";
    static final String AUTHORITIES = "ca.crt";
    private static final int FILE_LIMIT_BYTES = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(CredentialDirectory.class);

    private final Path directory;
    private Texts texts;
    private volatile Credential current;

    /** @throws IllegalArgumentException if the directory holds no usable credential now */
    CredentialDirectory(Path directory) {
        this.directory = directory;
        try {
            this.texts = texts();
            this.current = texts.credential();
        } catch (IOException | GeneralSecurityException unusable) {
            throw new IllegalArgumentException(
                    "No usable credential in " + directory + " (tls.crt, tls.key and ca.crt, PEM): "
                            + unusable.getMessage(),
                    unusable);
        }
    }

    /**
     * What the files hold. They are compared by that: files that are written twice within a few milliseconds have one
     * time of their last change and, with keys of one kind, one size.
     */
    private record Texts(ByteString certificate, ByteString key, ByteString authorities) {
        Credential credential() throws GeneralSecurityException {
            return Credential.fromPem(certificate.toByteArray(), key.toByteArray(), authorities.toByteArray())
                    .requirePair();
        }
    }

    @Override
    public synchronized Credential current() {
        try {
            Texts now = texts();
            if (!now.equals(texts)) {
                texts = now;
                current = now.credential();
                LOG.info(
                        "Credential read again: directory={} subject={} notAfter={}",
                        directory,
                        Identity.of(current.chain().get(0)).map(Identity::uri).orElse("unknown"),
                        current.chain().get(0).getNotAfter().toInstant());
            }
        } catch (IOException | GeneralSecurityException unusable) {
            LOG.warn(
                    "Changed credential not usable, the former one stays: directory={} reason={}",
                    directory,
                    unusable.getMessage());
        }
        return current;
    }

    /**
     * Kubernetes replaces all files of a mounted Secret at once by switching a symbolic link; reading them from the
     * directory that the link points to now gives three files of one moment.
     */
    private Texts texts() throws IOException {
        Path real = directory.resolve(CERTIFICATE).toRealPath().getParent();
        return new Texts(read(real, CERTIFICATE), read(real, KEY), read(real, AUTHORITIES));
    }

    private ByteString read(Path real, String name) throws IOException {
        Path beside = real.resolve(name);
        Path file = Files.exists(beside) ? beside : directory.resolve(name);
        long size = Files.size(file);
        if (size > FILE_LIMIT_BYTES) {
            throw new IOException(file + " has " + size + " bytes, more than " + FILE_LIMIT_BYTES);
        }
        return ByteString.copyFrom(Files.readAllBytes(file));
    }
}
