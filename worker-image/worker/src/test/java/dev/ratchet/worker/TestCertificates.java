/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The certificates of one cluster, as the operator would make them. */
final class TestCertificates {

    private static final X500Principal NAME = new X500Principal("CN=test authority");

    private final KeyPair keys;
    private final X509Certificate authority;
    private long serial = 1;

    TestCertificates() throws GeneralSecurityException, IOException, OperatorCreationException {
        keys = newKeys();
        authority = sign(NAME, keys, null, true);
    }

    /** Writes tls.crt, tls.key and ca.crt for {@code identity} into {@code directory}, and returns that. */
    Path issue(Path directory, Identity identity, String... moreDnsNames)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        Files.createDirectories(directory);
        KeyPair own = newKeys();
        List<GeneralName> names = new ArrayList<>();
        names.add(new GeneralName(GeneralName.uniformResourceIdentifier, identity.uri()));
        names.add(new GeneralName(GeneralName.dNSName, identity.authority()));
        for (String more : moreDnsNames) {
            names.add(new GeneralName(GeneralName.dNSName, more));
        }
        X509Certificate leaf =
                sign(new X500Principal("CN=leaf"), own, new GeneralNames(names.toArray(GeneralName[]::new)), false);
        Files.writeString(
                directory.resolve("tls.key"),
                pem("PRIVATE KEY", own.getPrivate().getEncoded()));
        Files.writeString(directory.resolve("tls.crt"), pem("CERTIFICATE", leaf.getEncoded()));
        Files.writeString(directory.resolve("ca.crt"), pem("CERTIFICATE", authority.getEncoded()));
        return directory;
    }

    /** What the worker on {@code seat} of the cluster team-a/orders proves itself with. */
    MutualTls of(Path directory, String seat) throws GeneralSecurityException, IOException, OperatorCreationException {
        return MutualTls.fromDirectory(
                issue(directory.resolve(seat), new Identity("team-a", "orders", Identity.Kind.WORKER, seat)));
    }

    private X509Certificate sign(X500Principal subject, KeyPair subjectKeys, GeneralNames names, boolean isAuthority)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                NAME,
                BigInteger.valueOf(serial++),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                subject,
                subjectKeys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
        if (names != null) {
            builder.addExtension(Extension.subjectAlternativeName, false, names);
        }
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}
