/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import dev.ratchet.protocol.security.Identity;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;

/**
 * Owns the certificates below an authority: keeps the one that is there while it is good, makes a new one otherwise.
 * The bundle of trusted authorities is brought up to date without a new certificate.
 */
public final class LeafRotation {
    private final CertificateIssuer issuer;
    private final CertificateLives lives;

    public LeafRotation(CertificateIssuer issuer, CertificateLives lives) {
        this.issuer = issuer;
        this.lives = lives;
    }

    /**
     * What the Secret of {@code subject} should hold, given what it holds.
     *
     * @param data decoded entries; empty when there is no Secret yet
     */
    public Map<String, String> step(Map<String, String> data, Identity subject, Authority authority, Instant now) {
        Map<String, String> wanted = new LinkedHashMap<>();
        if (isGood(data, subject, authority, now)) {
            wanted.putAll(data);
        } else {
            KeyPairAndCertificate made = issuer.leaf(subject, authority.signer(), now, lives.leaf());
            wanted.put(SecretKeys.CERTIFICATE, Pem.write(made.certificate()));
            wanted.put(SecretKeys.KEY, Pem.write(made.key()));
        }
        wanted.put(SecretKeys.AUTHORITIES, authority.bundle());
        return wanted;
    }

    /** How long certificates live. */
    public Duration life() {
        return lives.leaf();
    }

    /** When the certificate in {@code data} ends; empty when there is none that can be read. */
    public static Optional<Instant> notAfter(Map<String, String> data) {
        return certificate(data).map(certificate -> certificate.getNotAfter().toInstant());
    }

    /** When the certificate in {@code data} should be replaced; empty when there is none that can be read. */
    public static Optional<Instant> renewAt(Map<String, String> data) {
        return certificate(data).map(LeafRotation::renewAt);
    }

    private static boolean isGood(Map<String, String> data, Identity subject, Authority authority, Instant now) {
        Optional<X509Certificate> certificate = certificate(data);
        return certificate.isPresent()
                && data.containsKey(SecretKeys.KEY)
                && isSignedBy(certificate.get(), authority.signer().certificate())
                && now.isBefore(renewAt(certificate.get()))
                && LeafNames.fit(certificate.get(), subject);
    }

    static Optional<X509Certificate> certificate(Map<String, String> data) {
        String text = data.get(SecretKeys.CERTIFICATE);
        try {
            return text == null
                    ? Optional.empty()
                    : Optional.of(Pem.certificates(text).get(0));
        } catch (UnusableCertificateException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * By name and key identifier: the check runs for each Secret in each reconcile, and verifying a signature costs 100
     * times as much.
     */
    private static boolean isSignedBy(X509Certificate certificate, X509Certificate authority) {
        if (!certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
            return false;
        }
        byte[] signedBy = certificate.getExtensionValue(Extension.authorityKeyIdentifier.getId());
        byte[] signer = authority.getExtensionValue(Extension.subjectKeyIdentifier.getId());
        if (signedBy == null || signer == null) {
            return signer == null;
        }
        return Arrays.equals(
                AuthorityKeyIdentifier.getInstance(unwrap(signedBy)).getKeyIdentifierOctets(),
                SubjectKeyIdentifier.getInstance(unwrap(signer)).getKeyIdentifier());
    }

    private static byte[] unwrap(byte[] extension) {
        return ASN1OctetString.getInstance(extension).getOctets();
    }

    private static Instant renewAt(X509Certificate certificate) {
        return KeyPairAndCertificate.renewAt(certificate);
    }
}
