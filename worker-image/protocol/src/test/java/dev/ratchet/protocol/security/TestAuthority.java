/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority for tests: issues what the operator would, and what nobody should. */
public final class TestAuthority {

    /** A certificate and its key as PEM texts, with the authority that signed it. */
    public record Issued(String certificate, String key, String authorities) {

        /** Writes the three files of a mounted Secret. */
        public void writeTo(Path directory) throws IOException {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("tls.key"), key);
            Files.writeString(directory.resolve("ca.crt"), authorities);
            Files.writeString(directory.resolve("tls.crt"), certificate);
        }
    }

    private static final AtomicLong SERIALS = new AtomicLong(1);

    private final X500Principal name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    public TestAuthority(String commonName) {
        this.name = new X500Principal("CN=" + commonName);
        this.keys = newKeys();
        this.certificate = sign(name, keys, earlier(), later(), List.of(), true);
    }

    /** A certificate as the operator makes it, valid for a day. */
    public Issued issue(Identity identity, String... moreDnsNames) {
        return issueBetween(identity, earlier(), later(), moreDnsNames);
    }

    public Issued issueUntil(Identity identity, Instant notAfter, String... moreDnsNames) {
        return issueBetween(identity, earlier(), notAfter, moreDnsNames);
    }

    public Issued issueBetween(Identity identity, Instant notBefore, Instant notAfter, String... moreDnsNames) {
        List<GeneralName> names = new ArrayList<>();
        names.add(new GeneralName(GeneralName.uniformResourceIdentifier, identity.uri()));
        names.add(new GeneralName(GeneralName.dNSName, identity.authority()));
        for (String more : moreDnsNames) {
            names.add(new GeneralName(GeneralName.dNSName, more));
        }
        return issue(names, notBefore, notAfter);
    }

    /** A certificate that carries no identity. */
    public Issued issueNameless() {
        return issue(List.of(new GeneralName(GeneralName.dNSName, "nobody.ratchet")), earlier(), later());
    }

    private static Instant earlier() {
        return Instant.now().minus(Duration.ofDays(2));
    }

    private static Instant later() {
        return Instant.now().plus(Duration.ofDays(1));
    }

    private Issued issue(List<GeneralName> names, Instant notBefore, Instant notAfter) {
        KeyPair own = newKeys();
        X509Certificate leaf = sign(new X500Principal("CN=leaf"), own, notBefore, notAfter, names, false);
        return new Issued(
                pem("CERTIFICATE", encoded(leaf)),
                pem("PRIVATE KEY", own.getPrivate().getEncoded()),
                certificatePem());
    }

    public String certificatePem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    private X509Certificate sign(
            X500Principal subject,
            KeyPair subjectKeys,
            Instant notBefore,
            Instant notAfter,
            List<GeneralName> names,
            boolean authority) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.valueOf(SERIALS.getAndIncrement()),
                    Date.from(notBefore),
                    Date.from(notAfter),
                    subject,
                    subjectKeys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (!names.isEmpty()) {
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (IOException | GeneralSecurityException | OperatorCreationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der)
                + "\n-----END " + label + "-----\n";
    }
}
