/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A certificate chain with its private key, and the authorities that others must be signed by. Immutable. Whether chain
 * and key belong together is asked where they may not, because files were read while they were being replaced, or a
 * handshake failed: to sign and verify takes a JVM that has just started a tenth of a second.
 *
 * @param chain own certificate first
 * @param key private key of the first certificate
 * @param authorities checks others, each at the time of the handshake
 */
record Credential(List<X509Certificate> chain, PrivateKey key, X509ExtendedTrustManager authorities) {

    private static final Pattern PEM_KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]+)-----END", Pattern.DOTALL);

    /** @throws GeneralSecurityException if a part can not be read */
    static Credential fromPem(byte[] certificate, byte[] key, byte[] authorities) throws GeneralSecurityException {
        List<X509Certificate> chain = certificates("tls.crt", certificate);
        PublicKey publicKey = chain.get(0).getPublicKey();
        PrivateKey privateKey = privateKey(key, publicKey.getAlgorithm());
        return new Credential(chain, privateKey, trust(certificates("ca.crt", authorities)));
    }

    private static List<X509Certificate> certificates(String name, byte[] pem) throws GeneralSecurityException {
        List<X509Certificate> certificates =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                        .map(X509Certificate.class::cast)
                        .toList();
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException(name + " holds no certificate");
        }
        return certificates;
    }

    private static PrivateKey privateKey(byte[] pem, String algorithm) throws GeneralSecurityException {
        Matcher matcher = PEM_KEY.matcher(new String(pem, StandardCharsets.US_ASCII));
        if (!matcher.find() || !matcher.group(1).equals("PRIVATE KEY")) {
            throw new GeneralSecurityException("tls.key is not an unencrypted PKCS#8 key ('BEGIN PRIVATE KEY'); with"
                    + " cert-manager set privateKey.encoding to PKCS8");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(2));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    /** @throws GeneralSecurityException if the key is not the certificate's */
    Credential requirePair() throws GeneralSecurityException {
        String algorithm = key.getAlgorithm();
        Signature signature = Signature.getInstance(
                switch (algorithm) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> algorithm;
                });
        byte[] probe = {1, 2, 3};
        signature.initSign(key);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(chain.get(0).getPublicKey());
        signature.update(probe);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("tls.key is not the key of the certificate in tls.crt");
        }
        return this;
    }

    private static X509ExtendedTrustManager trust(List<X509Certificate> authorities) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (IOException impossible) {
            throw new GeneralSecurityException("An empty key store can not be made", impossible);
        }
    }
}
