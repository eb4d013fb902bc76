/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Who the server is: an authority and a certificate for 127.0.0.1 signed by it, made anew at each start and kept in
 * memory only. The authority's key is dropped as soon as it has signed, so nobody can make a second certificate.
 */
public record ServerIdentity(SSLContext tls, String authorityPem) {

    private static final Duration LIFE = Duration.ofDays(365);
    private static final String SIGNATURE = "SHA256withECDSA";

    /**
     * Makes the authority and the certificate.
     *
     * @throws GeneralSecurityException when this JDK lacks elliptic curves or TLS
     */
    public static ServerIdentity create() throws GeneralSecurityException, IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair authorityKeys = generator.generateKeyPair();
            X500Principal authorityName = new X500Principal("CN=ratchet-local-authority");
            X509Certificate authority = authority(authorityName, authorityKeys);
            KeyPair serverKeys = generator.generateKeyPair();
            X509Certificate server = server(authorityName, authorityKeys, serverKeys);
            return new ServerIdentity(context(serverKeys, server, authority), pem(authority));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("the server's certificate can not be signed with " + SIGNATURE, e);
        }
    }

    private static X509Certificate authority(X500Principal name, KeyPair keys)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        JcaX509v3CertificateBuilder builder = builder(name, name, keys);
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate())));
    }

    private static X509Certificate server(X500Principal issuer, KeyPair issuerKeys, KeyPair keys)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        JcaX509v3CertificateBuilder builder = builder(issuer, new X500Principal("CN=ratchet-local-apiserver"), keys);
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        GeneralNames names = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.dNSName, "kubernetes.default.svc")
        });
        builder.addExtension(Extension.subjectAlternativeName, false, names);
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(issuerKeys.getPrivate())));
    }

    private static JcaX509v3CertificateBuilder builder(X500Principal issuer, X500Principal subject, KeyPair keys) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, new SecureRandom()).setBit(126),
                Date.from(now.minus(Duration.ofMinutes(5))),
                Date.from(now.plus(LIFE)),
                subject,
                keys.getPublic());
    }

    private static SSLContext context(KeyPair keys, X509Certificate server, X509Certificate authority)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        char[] password = new char[0];
        store.setKeyEntry("server", keys.getPrivate(), password, new Certificate[] {server, authority});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static String pem(X509Certificate certificate) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(certificate);
        }
        return text.toString();
    }
}
