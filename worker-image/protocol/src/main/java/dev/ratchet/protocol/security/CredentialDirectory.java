/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credential in a directory's {@code tls.crt}, {@code tls.key} and {@code ca.crt}, read again when a handshake
 * begins and the files have changed. Looking costs three stat calls, so there is no thread and no delay to a rotation.
 * What can not be read never replaces what could: a half-written or damaged update leaves the last good credential in
 * use, with one line in the log.
 */
final class CredentialDirectory implements CredentialSource {

    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";
    static final String AUTHORITIES = "ca.crt";
    private static final int FILE_LIMIT_BYTES = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(CredentialDirectory.class);

    private final Path directory;
    private List<Object> fingerprint;
    private volatile Credential current;

    /** @throws IllegalArgumentException if the directory holds no usable credential now */
    CredentialDirectory(Path directory) {
        this.directory = directory;
        try {
            this.fingerprint = fingerprint();
            this.current = read();
        } catch (IOException | GeneralSecurityException unusable) {
            throw new IllegalArgumentException(
                    "No usable credential in " + directory + " (tls.crt, tls.key and ca.crt, PEM): "
                            + unusable.getMessage(),
                    unusable);
        }
    }

    @Override
    public synchronized Credential current() {
        try {
            List<Object> now = fingerprint();
            if (!now.equals(fingerprint)) {
                fingerprint = now;
                current = read();
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

    private List<Object> fingerprint() throws IOException {
        List<Object> values = new ArrayList<>();
        for (String name : List.of(CERTIFICATE, KEY, AUTHORITIES)) {
            Path file = directory.resolve(name).toRealPath();
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            values.add(file);
            values.add(attributes.lastModifiedTime());
            values.add(attributes.size());
            values.add(String.valueOf(attributes.fileKey()));
        }
        return values;
    }

    /**
     * Kubernetes replaces all files of a mounted Secret at once by switching a symbolic link; reading them from the
     * directory that the link points to now gives three files of one moment.
     */
    private Credential read() throws IOException, GeneralSecurityException {
        Path real = directory.resolve(CERTIFICATE).toRealPath().getParent();
        return Credential.fromPem(read(real, CERTIFICATE), read(real, KEY), read(real, AUTHORITIES))
                .requirePair();
    }

    private byte[] read(Path real, String name) throws IOException {
        Path beside = real.resolve(name);
        Path file = Files.exists(beside) ? beside : directory.resolve(name);
        long size = Files.size(file);
        if (size > FILE_LIMIT_BYTES) {
            throw new IOException(file + " has " + size + " bytes, more than " + FILE_LIMIT_BYTES);
        }
        return Files.readAllBytes(file);
    }
}
