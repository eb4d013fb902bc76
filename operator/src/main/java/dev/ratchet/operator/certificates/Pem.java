/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Owns the text form of certificates and keys. Keys are written as PKCS#8, which every TLS stack reads, and read in any
 * usual form.
 */
final class Pem {
    /** No bundle of ours has more; a longer one is somebody's mistake. */
    private static final int CERTIFICATES_MAX = 16;

    private Pem() {}

    static String write(X509Certificate certificate) {
        try {
            return write("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateException e) {
            throw new IllegalStateException("a certificate that was just made can not be encoded", e);
        }
    }

    static String write(PrivateKey key) {
        return write("PRIVATE KEY", key.getEncoded());
    }

    static String write(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        certificates.forEach(certificate -> text.append(write(certificate)));
        return text.toString();
    }

    static List<X509Certificate> certificates(String text) {
        List<X509Certificate> found = new ArrayList<>();
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
                if (next instanceof X509CertificateHolder holder && found.size() < CERTIFICATES_MAX) {
                    found.add(new JcaX509CertificateConverter().getCertificate(holder));
                }
            }
        } catch (IOException | CertificateException e) {
            throw new UnusableCertificateException("the text is not a PEM certificate", e);
        }
        if (found.isEmpty()) {
            throw new UnusableCertificateException("the text has no PEM certificate", null);
        }
        return List.copyOf(found);
    }

    static PrivateKey key(String text) {
        JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
                if (next instanceof PEMKeyPair pair) {
                    return converter.getPrivateKey(pair.getPrivateKeyInfo());
                }
                if (next instanceof PrivateKeyInfo info) {
                    return converter.getPrivateKey(info);
                }
            }
        } catch (IOException e) {
            throw new UnusableCertificateException("the text is not a PEM private key", e);
        }
        throw new UnusableCertificateException(
                "the text has no PEM private key; an encrypted one can not be used", null);
    }

    private static String write(String type, byte[] bytes) {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, bytes));
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return text.toString();
    }
}
