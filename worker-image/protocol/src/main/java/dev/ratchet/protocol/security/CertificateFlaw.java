/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * Why a certificate is not accepted, in words.
 *
 * @param reason goes on after the name of the certificate's owner and a colon
 */
record CertificateFlaw(Kind kind, String reason) {

    enum Kind {
        EXPIRED,
        NOT_YET_VALID,
        FOREIGN,
        OTHERS_KEY,
        OTHER
    }

    /** The flaw of a certificate that was checked against authorities and refused with {@code refusal}. */
    static CertificateFlaw of(X509Certificate certificate, CertificateException refusal) {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException expired) {
            return new CertificateFlaw(
                    Kind.EXPIRED, "it expired on " + certificate.getNotAfter().toInstant());
        } catch (CertificateNotYetValidException early) {
            return new CertificateFlaw(
                    Kind.NOT_YET_VALID,
                    "it is not valid before " + certificate.getNotBefore().toInstant());
        }
        Throwable root = refusal;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof CertPathBuilderException || root instanceof CertPathValidatorException
                ? new CertificateFlaw(
                        Kind.FOREIGN,
                        "it is signed by " + certificate.getIssuerX500Principal() + ", not by the authority in ca.crt")
                : new CertificateFlaw(
                        Kind.OTHER, String.valueOf(root.getMessage()).replaceFirst("[.]$", ""));
    }

    /** What a process finds wrong with its own credential, going by its own authorities and clock. */
    static Optional<CertificateFlaw> ofOwn(Credential own) {
        X509Certificate certificate = own.chain().get(0);
        try {
            own.requirePair();
        } catch (GeneralSecurityException unpaired) {
            return Optional.of(new CertificateFlaw(Kind.OTHERS_KEY, String.valueOf(unpaired.getMessage())));
        }
        try {
            own.authorities()
                    .checkClientTrusted(
                            own.chain().toArray(X509Certificate[]::new),
                            certificate.getPublicKey().getAlgorithm());
            return Optional.empty();
        } catch (CertificateException refused) {
            return Optional.of(of(certificate, refused));
        }
    }

    /** Whose certificate it is. */
    static String owner(X509Certificate certificate) {
        return Identity.of(certificate)
                .map(Identity::uri)
                .orElseGet(() -> certificate.getSubjectX500Principal().getName());
    }
}
