/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate and key that the operator has not issued. */
record Forgery(String certificate, String key) {

    /** For {@code uri}, signed by the authority of the two PEM texts, over since yesterday. */
    static Forgery expired(String authorityCertificate, String authorityKey, String uri) {
        try {
            X509Certificate authority = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                            new ByteArrayInputStream(authorityCertificate.getBytes(StandardCharsets.US_ASCII)));
            String algorithm = authority.getPublicKey().getAlgorithm();
            PrivateKey key = KeyFactory.getInstance(algorithm)
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder()
                            .decode(authorityKey
                                    .replaceAll("-----[^-]+-----", "")
                                    .strip())));
            return sign(
                    authority.getSubjectX500Principal(),
                    key,
                    algorithm,
                    uri,
                    Instant.now().minus(Duration.ofDays(1)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("can not sign with the cluster's authority", e);
        }
    }

    /** For {@code uri}, valid, signed by an authority that nobody knows. */
    static Forgery ofStranger(String uri) {
        KeyPair stranger = newKeys();
        return sign(
                new X500Principal("CN=stranger"),
                stranger.getPrivate(),
                "EC",
                uri,
                Instant.now().plus(Duration.ofDays(1)));
    }

    /** An authority named {@code name}, signed by itself. */
    static Forgery authority(String name) {
        KeyPair own = newKeys();
        X500Principal subject = new X500Principal(name);
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                subject,
                BigInteger.ONE,
                Date.from(Instant.now().minus(Duration.ofHours(1))),
                Date.from(Instant.now().plus(Duration.ofDays(30))),
                subject,
                own.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            X509Certificate made = new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(own.getPrivate())));
            return new Forgery(
                    pem("CERTIFICATE", made.getEncoded()),
                    pem("PRIVATE KEY", own.getPrivate().getEncoded()));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("can not make an authority named " + name, e);
        }
    }

    private static Forgery sign(X500Principal issuer, PrivateKey key, String algorithm, String uri, Instant notAfter) {
        try {
            KeyPair own = newKeys();
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    issuer,
                    BigInteger.valueOf(Instant.now().toEpochMilli()),
                    Date.from(Instant.now().minus(Duration.ofDays(2))),
                    Date.from(notAfter),
                    new X500Principal("CN=forgery"),
                    own.getPublic());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, uri)));
            String signature = algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
            X509Certificate made = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(signature).build(key)));
            return new Forgery(
                    pem("CERTIFICATE", made.getEncoded()),
                    pem("PRIVATE KEY", own.getPrivate().getEncoded()));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("can not make a certificate for " + uri, e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
