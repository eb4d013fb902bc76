/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TokenSecurity;
import dev.ratchet.store.Access;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a process of the store proves who it is: certificates, or a token between processes of one machine. */
final class Credentials {

    @Option(
            names = "--tls-dir",
            paramLabel = "DIR",
            description = "directory of tls.crt, tls.key and ca.crt; default $RATCHET_TLS_DIR")
    private @Nullable Path tlsDirectory;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "file with a token, instead of certificates, on loopback; default $RATCHET_TOKEN_FILE")
    private @Nullable Path tokenFile;

    /** Whether certificates were given. */
    boolean areCertificates() {
        return Variables.path(tlsDirectory, "RATCHET_TLS_DIR") != null;
    }

    /** The identity of the certificate, or with a token {@code otherwise}, and how it is proved. */
    Access access(Identity otherwise) {
        Path directory = Variables.path(tlsDirectory, "RATCHET_TLS_DIR");
        if (directory != null) {
            MutualTls security = MutualTls.fromDirectory(directory);
            Identity self = security.identity()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The certificate in " + directory + " carries no ratchet:// identity"));
            return new Access(security, self, Release.VERSION);
        }
        Path token = Variables.path(tokenFile, "RATCHET_TOKEN_FILE");
        if (token == null) {
            throw new IllegalArgumentException(
                    "A store and those who call it prove who they are: give --tls-dir, or --token-file on one machine");
        }
        return new Access(TokenSecurity.fromFile(token, otherwise), otherwise, Release.VERSION);
    }
}
