/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.protocol.security.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * Decides who may do what: by the certificate of the connection, or by a bearer token where the cluster has one. The
 * token's file is read at each request that shows one, so that a new token holds at once.
 */
final class Callers {

    private static final String TOKEN_BEARER = "the bearer of a token";
    private static final String BEARER = "Bearer ";
    private static final int TOKEN_LENGTH_MIN = 16;
    private static final int TOKEN_LENGTH_MAX = 4096;

    private final ClientAccess access;
    private final Optional<Path> tokenFile;

    Callers(ClientAccess access, Optional<Path> tokenFile) {
        this.access = access;
        this.tokenFile = tokenFile;
    }

    /**
     * Lets a request through.
     *
     * @return who sends it
     * @throws HttpFailure with 401 or 403 where it may not pass
     */
    String check(Request request, boolean writes) {
        String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (authorization != null) {
            checkToken(authorization);
            return TOKEN_BEARER;
        }
        X509Certificate certificate = certificate(request).orElseThrow(() -> new HttpFailure(
                        401,
                        "The request shows neither a client certificate nor a token",
                        "Use certificate and key of a client of this cluster"
                                + (tokenFile.isPresent() ? ", or the header 'Authorization: Bearer TOKEN'" : ""))
                .header("WWW-Authenticate", "Bearer"));
        try {
            certificate.checkValidity();
        } catch (CertificateException over) {
            throw new HttpFailure(401, "The client certificate does not hold: " + over.getMessage(), "Connect again");
        }
        Identity caller = Identity.of(certificate)
                .orElseThrow(() -> new HttpFailure(
                        403,
                        "The client certificate carries no ratchet:// identity",
                        "Use the certificate in the Secret of a client of this cluster"));
        access.refusal(caller, writes).ifPresent(refusal -> {
            throw new HttpFailure(403, refusal, "Use a client of this cluster whose role allows it");
        });
        return caller.toString();
    }

    /** Who a request says it is from, whether that is so or not. */
    static String claimed(Request request) {
        return request.getHeaders().contains(HttpHeader.AUTHORIZATION)
                ? TOKEN_BEARER
                : certificate(request)
                        .flatMap(Identity::of)
                        .map(Identity::toString)
                        .orElse("nobody");
    }

    private static Optional<X509Certificate> certificate(Request request) {
        Object session = request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE);
        return session instanceof EndPoint.SslSessionData data
                        && data.peerCertificates() != null
                        && data.peerCertificates().length > 0
                ? Optional.of(data.peerCertificates()[0])
                : Optional.empty();
    }

    private void checkToken(String authorization) {
        byte[] expected = tokenFile
                .flatMap(Callers::token)
                .map(token -> (BEARER + token).getBytes(StandardCharsets.US_ASCII))
                .orElseThrow(() -> new HttpFailure(
                        401,
                        "This cluster takes no tokens",
                        "Name a Secret in spec.circuit.http.tokenSecretRef, or use a client certificate"));
        if (!MessageDigest.isEqual(authorization.getBytes(StandardCharsets.US_ASCII), expected)) {
            throw new HttpFailure(401, "The token is not the one of this cluster", "Send 'Authorization: Bearer TOKEN'")
                    .header("WWW-Authenticate", "Bearer");
        }
    }

    private static Optional<String> token(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > TOKEN_LENGTH_MAX) {
                return Optional.empty();
            }
            String token = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return token.length() < TOKEN_LENGTH_MIN ? Optional.empty() : Optional.of(token);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
