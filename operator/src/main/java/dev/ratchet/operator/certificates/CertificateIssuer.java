/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import dev.ratchet.protocol.security.Identity;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Owns the making of keys and certificates: P-256 keys, SHA-256 signatures. Invariant: a certificate never outlives the
 * authority that signed it. Thread-safe.
 */
public final class CertificateIssuer {
    /** Clocks of nodes differ: a certificate is valid from a little before it was made. */
    static final Duration BACKDATED = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 120;

    private final SecureRandom random;

    public CertificateIssuer(SecureRandom random) {
        this.random = random;
    }

    /** A new authority that is valid for {@code life} from {@code now}. */
    public KeyPairAndCertificate authority(String cluster, String namespace, Instant now, Duration life) {
        KeyPair pair = newPair();
        // The serial number is in the name, so that two generations of one authority are told apart by their names.
        BigInteger serial = newSerial();
        X500Principal name =
                new X500Principal("CN=" + cluster + " " + serial.toString(36) + ", OU=" + namespace + ", O=ratchet");
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name, serial, Date.from(now.minus(BACKDATED)), Date.from(now.plus(life)), name, pair.getPublic());
        try {
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(pair.getPublic()));
            return new KeyPairAndCertificate(sign(builder, pair.getPrivate()), pair.getPrivate());
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("this Java runtime can not make a P-256 certificate", e);
        }
    }

    /** A certificate for {@code subject}, valid for {@code life} from {@code now} or until its authority ends. */
    public KeyPairAndCertificate leaf(Identity subject, KeyPairAndCertificate authority, Instant now, Duration life) {
        KeyPair pair = newPair();
        Instant end = now.plus(life);
        Instant notAfter = end.isBefore(authority.notAfter()) ? end : authority.notAfter();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                authority.certificate().getSubjectX500Principal(),
                newSerial(),
                Date.from(now.minus(BACKDATED)),
                Date.from(notAfter),
                new X500Principal("CN=" + subject.name() + ", O=ratchet"),
                pair.getPublic());
        try {
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, purposes(subject));
            builder.addExtension(Extension.subjectAlternativeName, false, names(subject));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    extensions.createAuthorityKeyIdentifier(authority.certificate()));
            return new KeyPairAndCertificate(sign(builder, authority.key()), pair.getPrivate());
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new UnusableCertificateException("the certificate authority can not sign with its key", e);
        }
    }

    /** A client can not serve: one whose name equals a seat's must not be able to stand in for that seat. */
    private static ExtendedKeyUsage purposes(Identity subject) {
        return switch (subject.kind()) {
            case WORKER, STORE ->
                new ExtendedKeyUsage(new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});
            case CLIENT, OPERATOR -> new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
        };
    }

    private static GeneralNames names(Identity subject) {
        Stream<GeneralName> uri = Stream.of(new GeneralName(GeneralName.uniformResourceIdentifier, subject.uri()));
        Stream<GeneralName> hosts =
                LeafNames.dnsNames(subject).stream().map(name -> new GeneralName(GeneralName.dNSName, name));
        return new GeneralNames(Stream.concat(uri, hosts).toArray(GeneralName[]::new));
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey key)
            throws OperatorCreationException, GeneralSecurityException {
        String algorithm = "RSA".equals(key.getAlgorithm()) ? "SHA256withRSA" : "SHA256withECDSA";
        ContentSigner signer = new JcaContentSignerBuilder(algorithm).build(key);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private KeyPair newPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no P-256 keys (module jdk.crypto.ec)", e);
        }
    }

    private BigInteger newSerial() {
        return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS);
    }
}
